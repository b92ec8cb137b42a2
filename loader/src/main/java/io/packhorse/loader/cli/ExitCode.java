package io.packhorse.loader.cli;

/** How a command ends, for scripts. */
public enum ExitCode {
  /** Done. */
  OK(0),
  /** An error of ours; the message names a file with the details. */
  INTERNAL(1),
  /** Wrong option or value; nothing was done. */
  USAGE(2),
  /** The cluster was out of reach, or a write failed for good. */
  CLUSTER(5),
  /** What was read back is not what was written. */
  VERIFICATION(6),
  /** Refused before anything was done: port, disk, directory, Java. */
  PREFLIGHT(7),
  /** Ctrl-C. */
  INTERRUPTED(130);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** The process's exit status. */
  public int code() {
    return code;
  }
}
