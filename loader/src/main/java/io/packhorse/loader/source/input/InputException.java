package io.packhorse.loader.source.input;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** The reading side of a load failed: an input could not be read, or the rejects not written. */
public class InputException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence which input and what is wrong with it
   */
  public InputException(String sentence) {
    super(sentence);
  }

  /**
   * The message is complete; the cause is only suppressed, because printing the innermost message
   * of a chain would leave out which file it was.
   *
   * @param sentence which file and what could not be done
   */
  @SuppressWarnings("this-escape") // addSuppressed is final and only keeps the cause.
  public InputException(String sentence, IOException cause) {
    super(sentence + ": " + reason(cause));
    addSuppressed(cause);
  }

  private static String reason(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
