package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;

/** Finds out how an input is to be read, before its first record. One thread. */
public interface FormatChooser {
  /**
   * The format for one input, which may have been that of earlier ones.
   *
   * @throws InputException if it cannot be found out, with what to do about it
   */
  RecordFormat choose(Head head) throws InputException;
}
