package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * What the virtual machine throws, as when its heap is full, as an exception of the query: a
 * Deferred takes no errors to its errbacks, and whoever waits would do so for ever. Any thread.
 */
@NullMarked
public final class PackedErrors {
  /** Made beforehand: a full heap has no room for another. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final QueryException TOO_MUCH =
      new QueryException(
          HttpResponseStatus.INTERNAL_SERVER_ERROR,
          "Sorry, your query asks for more than this TSD's memory can hold. Please try filtering"
              + " using more tags or decrease your time range.");

  private PackedErrors() {}

  /** The callback, its errors thrown as an exception with status 500. */
  public static <R, T> Callback<R, T> asExceptions(Callback<R, T> callback) {
    return argument -> {
      try {
        return callback.call(argument);
      } catch (VirtualMachineError e) {
        throw TOO_MUCH;
      }
    };
  }
}
