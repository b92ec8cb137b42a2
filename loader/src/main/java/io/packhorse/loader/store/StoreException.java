package io.packhorse.loader.store;

/** Why the embedded store cannot be used, in one sentence that says what to do. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1;

  /** Whether anything was tried. */
  public enum Kind {
    /** Refused beforehand: nothing was started or changed. */
    REFUSED,
    /** A server process failed or did not answer. */
    FAILED
  }

  private final Kind kind;

  private StoreException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  static StoreException refused(String message) {
    return new StoreException(Kind.REFUSED, message);
  }

  static StoreException failed(String message) {
    return new StoreException(Kind.FAILED, message);
  }

  /** Refused beforehand, or failed under way. */
  public Kind kind() {
    return kind;
  }
}
