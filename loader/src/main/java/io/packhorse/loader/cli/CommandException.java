package io.packhorse.loader.cli;

/** Ends a command with an exit code and one sentence: what, where, what to do. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;

  public CommandException(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public CommandException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The exit code asked for. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
