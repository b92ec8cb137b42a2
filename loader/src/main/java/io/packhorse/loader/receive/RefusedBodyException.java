package io.packhorse.loader.receive;

/** A body of which nothing was taken. */
public final class RefusedBodyException extends Exception {
  private static final long serialVersionUID = 1;

  private final Why why;

  /** Why a body is refused. */
  public enum Why {
    /** It cannot be read; the client must not send it again. */
    MALFORMED,
    /** It is too large once it is decompressed. */
    TOO_LARGE,
    /** The log is full or its disk is: the client may try again. */
    BUSY,
    /** The intake takes no more bodies: the client may try again. */
    ENDED
  }

  /**
   * @param sentence for the client
   */
  RefusedBodyException(Why why, String sentence) {
    super(sentence);
    this.why = why;
  }

  /** Why it was refused. */
  public Why why() {
    return why;
  }
}
