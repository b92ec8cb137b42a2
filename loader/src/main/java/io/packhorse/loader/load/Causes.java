package io.packhorse.loader.load;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Finds the sentence in a chain of exceptions that tells a user most. */
public final class Causes {
  private Causes() {}

  /** The innermost message of an exception chain, its first line. */
  public static String sentence(Throwable e) {
    Throwable inner = innermost(e);
    String message = inner.getMessage();
    if (inner instanceof OutOfMemoryError) {
      return String.format(
          "out of memory (%s); the heap is %d MiB, set PACKHORSE_HEAP to a larger one",
          message, Runtime.getRuntime().maxMemory() >> 20);
    }
    if (inner instanceof AccessDeniedException denied) {
      return "permission denied for " + denied.getFile();
    }
    if (inner instanceof NoSuchFileException missing) {
      return missing.getFile() + " is missing";
    }
    if (inner instanceof ClosedChannelException) {
      // All that the JDK's HTTP client says of a port that nobody listens on.
      return "the connection was refused or closed";
    }
    String text = message == null ? inner.getClass().getSimpleName() : message;
    return text.lines().findFirst().orElse(text).strip();
  }

  /** Whether a call ended because its thread was interrupted, and not because nobody answered. */
  static boolean isInterrupt(Throwable e) {
    return e instanceof InterruptedException
        || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException));
  }

  /** The last cause of an exception; the exception itself if it has none. */
  public static Throwable innermost(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
