package net.opentsdb.tsd;

import net.opentsdb.core.QueryException;
import net.opentsdb.utils.LimitedLogger;
import org.hbase.async.HBaseException;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.PleaseThrottleException;
import org.hbase.async.RecoverableException;
import org.hbase.async.RemoteException;
import org.hbase.async.RpcTimedOutException;
import org.hbase.async.TableNotFoundException;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in plain words what HBase, or the way to it, did to a request. asynchbase's own messages
 * name calls, region clients and row keys: they belong in the log. Any thread.
 */
@NullMarked
final class StoreErrors {
  private static final int CAUSES_MAX = 20;
  private static final Logger LOG = LimitedLogger.of(LoggerFactory.getLogger(StoreErrors.class));

  private StoreErrors() {}

  /**
   * What to tell the client: an error of HBase becomes one of status 503, 504 or 500; anything else
   * comes back as it is.
   */
  static @Nullable Throwable plain(@Nullable Throwable error) {
    QueryException plain = find(error);
    return plain == null ? error : plain;
  }

  /** The same for a refused request. */
  static BadRequestException plain(BadRequestException refused) {
    QueryException plain = find(refused.getCause());
    return plain == null ? refused : asRefused(plain, refused);
  }

  /**
   * Answers a request that met an error of HBase.
   *
   * @return false if it met another one, which is left to the caller
   */
  static boolean answer(HttpQuery query, Exception error) {
    QueryException plain = find(error);
    if (plain == null) {
      return false;
    }
    query.badRequest(asRefused(plain, null));
    return true;
  }

  /** What to tell a client about one point: the plain words, or the error's own. */
  static String message(Exception error) {
    QueryException plain = find(error);
    return String.valueOf((plain == null ? error : plain).getMessage());
  }

  private static BadRequestException asRefused(
      QueryException plain, @Nullable BadRequestException refused) {
    // Details would quote the cause; the trace is for those who switched it on.
    return refused == null || refused.getCause() == null
        ? new BadRequestException(plain.getStatus(), plain.getMessage())
        : new BadRequestException(plain.getStatus(), plain.getMessage(), "", refused.getCause());
  }

  /** The first error of HBase among the causes, in plain words. */
  private static @Nullable QueryException find(@Nullable Throwable error) {
    Throwable cause = error;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      if (cause instanceof HBaseException found) {
        LOG.warn("HBase failed a request", found);
        return describe(found);
      }
      cause = cause.getCause();
    }
    return null;
  }

  private static QueryException describe(HBaseException e) {
    if (e instanceof RpcTimedOutException) {
      return new QueryException(
          HttpResponseStatus.GATEWAY_TIMEOUT,
          "HBase did not answer within hbase.rpc.timeout. Try again; the log of the TSD names the"
              + " server");
    }
    if (e instanceof PleaseThrottleException) {
      return unavailable(
          "HBase is behind: too many requests wait for a region that it does not serve now. Try"
              + " again later");
    }
    if (e instanceof TableNotFoundException) {
      return unavailable(
          "HBase has no table " + e.getMessage() + ". Create it, or correct tsd.storage.hbase.*");
    }
    if (e instanceof NoSuchColumnFamilyException) {
      return failed("A table in HBase lacks a column family; the log of the TSD names it");
    }
    if (e instanceof RemoteException remote) {
      String type = remote.getType();
      return failed(
          "HBase refused the request ("
              + type.substring(type.lastIndexOf('.') + 1)
              + "); the log of the TSD has the details");
    }
    if (e instanceof RecoverableException || e.getCause() instanceof RecoverableException) {
      return unavailable(
          "HBase does not serve a region of this request: it moves, or its server is gone. Try"
              + " again; the log of the TSD names it");
    }
    return unavailable(
        "HBase cannot be reached, or does not serve a region of this request. Try again; the log"
            + " of the TSD has the details");
  }

  private static QueryException unavailable(String message) {
    return new QueryException(HttpResponseStatus.SERVICE_UNAVAILABLE, message);
  }

  private static QueryException failed(String message) {
    return new QueryException(HttpResponseStatus.INTERNAL_SERVER_ERROR, message);
  }
}
