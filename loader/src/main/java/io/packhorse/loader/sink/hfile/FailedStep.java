package io.packhorse.loader.sink.hfile;

import java.io.IOException;

/** Says which step of a load a file system or HBase has failed. */
final class FailedStep {
  private FailedStep() {}

  /**
   * An exception whose own message is the whole story; what happened below is kept beside it, not
   * as its cause, because the innermost message is the one that users see.
   */
  static IOException of(String step, Exception below) {
    String message = below.getMessage();
    String reason = message == null ? below.getClass().getSimpleName() : message;
    IOException failed =
        new IOException(step + ": " + reason.lines().findFirst().orElse(reason).strip());
    failed.addSuppressed(below);
    return failed;
  }
}
