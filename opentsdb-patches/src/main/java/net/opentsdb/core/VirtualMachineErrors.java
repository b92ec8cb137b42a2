package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * Turns a full heap or a full stack into an exception of the request that met it: a Deferred passes
 * exceptions to its errbacks, but no errors, so that the client would wait for ever. Any thread.
 */
@NullMarked
public final class VirtualMachineErrors {
  /** Created in advance, since a full heap has no room for them. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final QueryException HEAP =
      new QueryException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "This request needs more memory than the TSD has left. Ask for a shorter time range, fewer"
              + " series or a longer downsample interval, or send smaller batches");

  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final QueryException STACK =
      new QueryException(
          HttpResponseStatus.INTERNAL_SERVER_ERROR,
          "This request needs a deeper call stack than the TSD has. Ask for less nesting or fewer"
              + " series");

  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final QueryException OTHER =
      new QueryException(
          HttpResponseStatus.INTERNAL_SERVER_ERROR, "The Java virtual machine failed; see the log");

  private VirtualMachineErrors() {}

  /** The exception for an error: status 413 for a full heap, 500 for a full stack. */
  public static QueryException toException(VirtualMachineError error) {
    if (error instanceof OutOfMemoryError) {
      return HEAP;
    }
    return error instanceof StackOverflowError ? STACK : OTHER;
  }

  /** The callback, its errors thrown as exceptions. */
  public static <R, T> Callback<R, T> asExceptions(Callback<R, T> callback) {
    return argument -> {
      try {
        return callback.call(argument);
      } catch (VirtualMachineError e) {
        throw toException(e);
      }
    };
  }
}
