package io.packhorse.loader.sink.hfile;

import java.io.IOException;

/** Builds exceptions that name the step of a load that failed. */
final class StepFailure {
  private StepFailure() {}

  /**
   * An exception with a message of step and reason. The reason is added as suppressed, not as the
   * cause, because users see the message of the innermost cause.
   */
  static IOException of(String step, Exception reason) {
    String message = reason.getMessage();
    String text = message == null ? reason.getClass().getSimpleName() : message;
    IOException failed =
        new IOException(step + ": " + text.lines().findFirst().orElse(text).strip());
    failed.addSuppressed(reason);
    return failed;
  }
}
