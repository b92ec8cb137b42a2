package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;
import java.io.IOException;

/** Rejects cannot be written down: the input is not at fault, the disk is. */
public final class RejectsException extends InputException {
  private static final long serialVersionUID = 1;

  RejectsException(String sentence, IOException cause) {
    super(sentence, cause);
  }
}
