/** What the commands answer to the shell; `--help` prints this table. */
export const EXIT_CODES = {
  /** Done, nothing to complain about. */
  done: 0,
  /** The command ran and found problems: faults in the config, a refused file, a lead that is not there. */
  problems: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The program could not do its work: disk, network, a bug. */
  failure: 3,
} as const;
