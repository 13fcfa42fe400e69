/** What the commands answer to the shell; `--help` prints this table. */
export const EXIT_CODES = {
  /** Done, nothing to complain about. */
  done: 0,
  /** The command ran and found problems: faults in the config, a refused file, a lead that is not there. */
  problems: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** `check --probe` found a failure: monitoring programs know 1 as a warning and 2 as a fault, so it has their code. */
  probeFailed: 2,
  /** The program could not do its work: disk, network, a bug. */
  failure: 3,
} as const;

export const EXIT_CODES_HELP = `
Exit codes:
  ${EXIT_CODES.done}  done, nothing to complain about
  ${EXIT_CODES.problems}  problems found: faults in the settings, a refused file, a lead that is not there
  ${EXIT_CODES.usage}  the command line is wrong; "check --probe": a failure, where ${EXIT_CODES.problems} is a warning
  ${EXIT_CODES.failure}  the program could not do its work: disk, network, or a fault of its own`;
