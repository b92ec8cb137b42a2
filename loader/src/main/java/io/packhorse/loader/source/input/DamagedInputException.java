package io.packhorse.loader.source.input;

import java.io.IOException;

/** A compressed input is cut short or damaged: nothing after this point can be read. */
public final class DamagedInputException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param what is damaged, and how
   */
  public DamagedInputException(String what) {
    super(what);
  }
}
