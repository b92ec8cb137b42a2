package io.packhorse.loader.receive.log;

import java.io.IOException;

/** Records that were on disk are missing or damaged. Continuing without them would lose points. */
public final class DamagedLogException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedLogException(String message) {
    super(message);
  }
}
