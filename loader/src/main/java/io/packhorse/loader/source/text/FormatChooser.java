package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;

/** Decides how an input is read, before its first record. One thread. */
public interface FormatChooser {
  /**
   * The format for one input, which may have been that of earlier ones.
   *
   * @throws InputException if that cannot be decided; the message says what to do
   */
  RecordFormat choose(InputHead head) throws InputException;

  /** Lines with content that a pipe has to deliver before its format can be chosen. */
  default int linesNeeded() {
    return 2;
  }
}
