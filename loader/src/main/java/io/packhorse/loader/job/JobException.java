package io.packhorse.loader.job;

/** A job that cannot be opened as asked: it is not there, in use, damaged or of another version. */
public final class JobException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param sentence which job, and why not
   */
  JobException(String sentence) {
    super(sentence);
  }
}
