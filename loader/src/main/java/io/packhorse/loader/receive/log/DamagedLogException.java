package io.packhorse.loader.receive.log;

import java.io.IOException;

/** The log lacks, or holds damaged, what was on disk before: going on would lose points. */
public final class DamagedLogException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedLogException(String message) {
    super(message);
  }
}
