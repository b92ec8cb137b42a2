package io.packhorse.loader.store;

/** Thrown if the embedded store cannot be used; the message says why and what to do. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1;

  /** When it failed. */
  public enum Kind {
    /** Before anything was started or changed. */
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

  /** When it failed. */
  public Kind kind() {
    return kind;
  }
}
