/** The end of the bridge, whoever wants it: it comes once, and both its begin and its end can be waited for. */
export class Ending {
  readonly #begun = Promise.withResolvers<undefined>();
  readonly #ended = Promise.withResolvers<undefined>();
  readonly begun: Promise<void> = this.#begun.promise;
  /** Rejects when a part could not be ended. */
  readonly ended: Promise<void> = this.#ended.promise;
  readonly #endInOrder: (reason: string) => Promise<void>;
  #end: Promise<void> | undefined;

  constructor(endInOrder: (reason: string) => Promise<void>) {
    this.#endInOrder = endInOrder;
  }

  get hasBegun(): boolean {
    return this.#end !== undefined;
  }

  begin(reason: string): Promise<void> {
    this.#begun.resolve(undefined);
    this.#end ??= this.#endInOrder(reason).then(
      () => this.#ended.resolve(undefined),
      (fault: unknown) => this.#ended.reject(fault),
    );
    return this.#end;
  }
}
