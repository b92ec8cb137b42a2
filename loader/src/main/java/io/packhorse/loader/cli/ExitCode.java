package io.packhorse.loader.cli;

/** How a command ends; the numbers are part of the interface (README). */
public enum ExitCode {
  /** Done. */
  OK(0),
  /** A fault of Packhorse itself. */
  INTERNAL(1),
  /** Options or configuration that make no sense. */
  USAGE(2),
  /** Finished, but for lines that are no points. */
  REJECTS(3),
  /** Stopped: more lines were no points than --max-rejects allows. */
  TOO_MANY_REJECTS(4),
  /** The cluster cannot be reached, or a write failed after all retries. */
  CLUSTER(5),
  /** What was read back is not what should be there. */
  VERIFICATION(6),
  /** Refused before anything was written. */
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
