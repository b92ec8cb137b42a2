package net.opentsdb.tsd;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Arrays;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.QueryException;
import net.opentsdb.query.expression.ExpressionFactory;
import net.opentsdb.utils.JSONException;
import org.hbase.async.HBaseException;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a client did wrong from what HBase or the TSD did: a request that cannot be read is
 * status 400, what HBase did is said by {@link StoreErrors}, and a fault of the TSD's own is 500.
 * OpenTSDB's handlers wrap the first kind in exceptions of every other. Any thread.
 */
@NullMarked
final class RequestErrors {
  private static final int CAUSES_MAX = 20;

  private RequestErrors() {}

  /**
   * Answers a request that failed because of what it said or of what HBase did.
   *
   * @return false if it met a fault of the TSD's own, which is left to the caller
   */
  static boolean answer(HttpQuery query, Exception error) {
    BadRequestException refusal = refusal(error);
    if (refusal == null) {
      return StoreErrors.answer(query, error);
    }
    query.badRequest(refusal);
    return true;
  }

  /** What to tell the client of a query: as it is if it needs no other words. */
  static @Nullable Throwable plain(@Nullable Throwable error) {
    Throwable plain = StoreErrors.plain(error);
    if (plain != error) {
      return plain;
    }
    if (error instanceof RuntimeException fault && isOurs(fault)) {
      return new QueryException(
          HttpResponseStatus.INTERNAL_SERVER_ERROR,
          "The TSD has an internal fault; its log has the details");
    }
    BadRequestException refusal = refusal(error);
    return refusal == null ? error : refusal;
  }

  /** A query that does not pass its checks, which come before anything is read. */
  static BadRequestException invalid(Exception error) {
    BadRequestException refusal = refusal(error);
    String words =
        error instanceof NullPointerException
            ? "A part of the query is missing or null"
            : String.valueOf(error.getMessage());
    return new BadRequestException(
        refusal == null ? HttpResponseStatus.BAD_REQUEST : refusal.getStatus(),
        refusal == null ? words : String.valueOf(refusal.getMessage()),
        "Nothing was read: correct the query and send it again",
        error);
  }

  /** Faults that no wording of a request excuses. */
  private static boolean isOurs(RuntimeException error) {
    return error instanceof NullPointerException
        || error instanceof ClassCastException
        || error instanceof ArrayIndexOutOfBoundsException
        || error instanceof ArithmeticException;
  }

  /** The status and words for a request that cannot be read; null for anything else. */
  static @Nullable BadRequestException refusal(@Nullable Throwable error) {
    String words = null;
    Throwable cause = error;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      if (cause instanceof HBaseException || cause instanceof IllegalDataException) {
        return null;
      }
      if (cause instanceof BadRequestException found) {
        return found;
      }
      if (cause instanceof QueryException found) {
        return new BadRequestException(found.getStatus(), found.getMessage());
      }
      if (cause instanceof JsonProcessingException found) {
        // Better than what it is wrapped in, which names its class.
        words = "The JSON of the request cannot be read: " + found.getOriginalMessage();
      } else if (words == null) {
        words = words(cause);
      }
      cause = cause.getCause();
    }
    return words == null || error == null
        ? null
        : new BadRequestException(HttpResponseStatus.BAD_REQUEST, words, "", error);
  }

  private static @Nullable String words(Throwable error) {
    if (error instanceof StringIndexOutOfBoundsException) {
      // Upstream cuts strings out of requests only, and some without a look at their length.
      return "A part of the request is empty or too short: " + error.getMessage();
    }
    if (error instanceof NullPointerException && isFromParsing(error)) {
      return "A part of the JSON of the request is missing or null";
    }
    if (error instanceof UnsupportedOperationException && isFrom(error, ExpressionFactory.class)) {
      return "gexp: " + error.getMessage();
    }
    if (error instanceof IllegalStateException
        && String.valueOf(error.getMessage()).startsWith("Got Infinity")) {
      // Upstream goes on with the names of its iterators and their state.
      return "The values of a group exceed the largest number that can be computed with (Infinity)."
          + " Ask for its series one by one, with the aggregator none, or for another aggregator";
    }
    return error instanceof IllegalArgumentException || error instanceof JSONException
        ? String.valueOf(error.getMessage())
        : null;
  }

  /** Upstream looks at what it has just parsed without asking whether it is there. */
  private static boolean isFromParsing(Throwable error) {
    return Arrays.stream(error.getStackTrace())
        .limit(4)
        .anyMatch(
            frame ->
                frame.getClassName().equals(HttpJsonSerializer.class.getName())
                    && frame.getMethodName().startsWith("parse"));
  }

  private static boolean isFrom(Throwable error, Class<?> type) {
    StackTraceElement[] stack = error.getStackTrace();
    return stack.length > 0 && stack[0].getClassName().equals(type.getName());
  }
}
