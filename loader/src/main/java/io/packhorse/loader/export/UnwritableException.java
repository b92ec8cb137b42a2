package io.packhorse.loader.export;

/** The format cannot hold a name or a value; the message says which. */
public final class UnwritableException extends Exception {
  private static final long serialVersionUID = 1;

  UnwritableException(String sentence) {
    super(sentence);
  }
}
