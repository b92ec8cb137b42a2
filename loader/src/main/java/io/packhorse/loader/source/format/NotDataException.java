package io.packhorse.loader.source.format;

import io.packhorse.loader.source.input.InputException;

/** An input is in none of the formats that are read. */
public final class NotDataException extends InputException {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence which input, and what to do if it is data
   */
  public NotDataException(String sentence) {
    super(sentence);
  }
}
