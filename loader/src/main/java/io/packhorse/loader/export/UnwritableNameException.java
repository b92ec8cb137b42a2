package io.packhorse.loader.export;

/** A name has a character that the format cannot hold; the message says which. */
public final class UnwritableNameException extends Exception {
  private static final long serialVersionUID = 1;

  UnwritableNameException(String sentence) {
    super(sentence);
  }
}
