package io.packhorse.loader.source.input;

import java.io.IOException;

/** Packed bytes are cut short or changed: what was read of them before is all there is. */
public final class DamagedInputException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param what is damaged, and how
   */
  public DamagedInputException(String what) {
    super(what);
  }
}
