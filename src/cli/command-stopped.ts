/**
 * Ends a command with an exit code after everything was said. Thrown instead of calling process.exit, which may cut
 * off output that is still on its way to a pipe.
 */
export class CommandStopped extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`command stopped with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
