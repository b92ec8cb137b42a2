package io.packhorse.spark;

/** The rows of a DataFrame were not loaded. The message is for the user. */
public final class DataFrameLoadException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  DataFrameLoadException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  DataFrameLoadException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The exit code that {@code packhorse load} has for the same failure. */
  public int exitCode() {
    return exitCode;
  }
}
