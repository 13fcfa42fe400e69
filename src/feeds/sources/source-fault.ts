/** A look at a source came to nothing, for a reason outside the bridge; the message goes to the log. */
export class SourceFault extends Error {
  /** The server does not let us in. Trying again soon only locks the account. */
  readonly isRefusal: boolean;

  constructor(message: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}
