package io.packhorse.loader.job;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** A job that cannot be opened as asked: it is not there, in use, damaged or of another version. */
public final class JobException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence which job, and why not
   */
  JobException(String sentence) {
    super(sentence);
  }

  /**
   * As {@link #JobException(String)}, of a file that cannot be used.
   *
   * @param beginning of the sentence
   */
  JobException(String beginning, IOException e) {
    super(beginning + ": " + reason(e), e);
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "permission denied for " + denied.getFile();
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + " is missing";
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
