package io.packhorse.loader.load;

/**
 * An operation failed or was refused. The message is one sentence for the user: what happened,
 * where, and what to do.
 */
public final class OperationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Kind kind;

  /** What kind of failure it is, for callers that act on it. */
  public enum Kind {
    /** A fault of Packhorse itself. */
    INTERNAL,
    /** Settings or inputs that make no sense. */
    USAGE,
    /** More lines were rejected than allowed. */
    TOO_MANY_REJECTS,
    /** More points replaced others than allowed. */
    TOO_MANY_REPLACED,
    /** There are more new names than allowed. */
    TOO_MANY_NEW_NAMES,
    /** The cluster cannot be reached, or an operation on it failed after all retries. */
    CLUSTER,
    /** What was read back differs from what was loaded. */
    VERIFICATION,
    /** Refused before anything was written. */
    REFUSED,
    /** Stopped by Ctrl-C; the user has been told already, the message is empty. */
    INTERRUPTED
  }

  public OperationException(Kind kind, String sentence) {
    super(sentence);
    this.kind = kind;
  }

  /** As {@link #OperationException(Kind, String)}, keeping the cause for the log. */
  public OperationException(Kind kind, String sentence, Throwable cause) {
    super(sentence, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
