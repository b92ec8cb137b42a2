package io.packhorse.loader.source.record;

import io.packhorse.loader.source.input.InputException;
import java.io.IOException;

/** The rejects file cannot be written: a problem of the disk, not of the input. */
public final class RejectsFileException extends InputException {
  private static final long serialVersionUID = 1;

  RejectsFileException(String sentence, IOException cause) {
    super(sentence, cause);
  }
}
