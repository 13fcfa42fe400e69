/**
 * Why an agent could not be asked. `unreachable`: no answer came (network, time, a server that is down);
 * `unsuitable`: an answer came, and it is none that a dealer's agent would give. The message is for a person.
 */
export class AgentFault extends Error {
  readonly kind: 'unreachable' | 'unsuitable';

  constructor(kind: 'unreachable' | 'unsuitable', message: string) {
    super(message);
    this.kind = kind;
  }
}
