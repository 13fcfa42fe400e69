/**
 * Why the program cannot go on, for a reason outside of it that its operator can mend. The message says what is
 * wrong and what to do, and is shown without a stack.
 */
export class OperatorFault extends Error {}
