package io.packhorse.loader.cli;

/** Ends a command with one sentence for the user and an exit code; no stack trace is shown. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;

  /**
   * @param sentence what went wrong, where, and what to do; empty if that is said already
   */
  public CommandException(ExitCode exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  /** As {@link #CommandException(ExitCode, String)}, keeping the cause for the log. */
  public CommandException(ExitCode exitCode, String sentence, Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
  }

  /** The end of a command that Ctrl-C has ended and that has said so. */
  static CommandException interrupted() {
    return new CommandException(ExitCode.INTERRUPTED, "");
  }

  /** The process's exit status. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
