package net.opentsdb.tsd;

import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.opentsdb.core.QueryException;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.VirtualMachineErrors;
import net.opentsdb.query.expression.parser.TokenMgrError;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * Carries out the requests that wait for HBase on threads of their own: on the few I/O threads they
 * would hold up every other client while HBase is slow or away.
 *
 * <p>One instance for each TSD, any thread.
 */
@NullMarked
final class BlockingRequests {
  private static final int THREADS = 16;
  private static final int WAITING_MAX = 256;

  private static final Set<String> HTTP =
      Set.of(
          "stats",
          "suggest",
          "logs",
          "api/stats",
          "api/suggest",
          "api/search",
          "api/annotation",
          "api/annotations",
          "api/uid",
          "api/tree",
          "api/dropcaches");

  private final ThreadPoolExecutor threads;

  BlockingRequests() {
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            60,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread thread = new Thread(task, "OpenTSDB Request #" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Work that may throw what a handler throws. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Carries out an HTTP request, here or on another thread.
   *
   * @throws Exception of the handler, if it ran here; on another thread the client gets the answer
   *     that RpcHandler would give
   */
  void execute(TSDB tsdb, String route, HttpRpc handler, HttpQuery query) throws Exception {
    if (!HTTP.contains(route) && !isForLastPoints(route, query)) {
      run(() -> handler.execute(tsdb, query));
      return;
    }
    submit(
        () -> {
          try {
            run(() -> handler.execute(tsdb, query));
          } catch (BadRequestException e) {
            query.badRequest(e);
          } catch (Exception e) {
            query.internalError(e);
          }
        });
  }

  private static boolean isForLastPoints(String route, HttpQuery query) {
    if (!route.equals("api/query")) {
      return false;
    }
    String[] path = query.explodeAPIPath();
    return path.length > 1 && path[1].equalsIgnoreCase("last");
  }

  /** Carries out a telnet command; {@code stats} waits for HBase. */
  void executeTelnet(TSDB tsdb, TelnetRpc handler, Channel channel, String[] command) {
    if (!command[0].equals("stats")) {
      handler.execute(tsdb, channel, command);
      return;
    }
    try {
      submit(() -> handler.execute(tsdb, channel, command));
    } catch (BadRequestException e) {
      channel.write("error: " + e.getMessage() + "\n");
    }
  }

  private void submit(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      throw new BadRequestException(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "Too many requests wait for HBase: "
              + WAITING_MAX
              + ". Try again when HBase answers faster");
    }
  }

  /**
   * Runs a handler. What it says of bad input is status 400; running out of memory or stack is an
   * answer as well, and the thread lives on.
   */
  static void run(Work work) throws Exception {
    try {
      work.run();
    } catch (QueryException e) {
      throw new BadRequestException(e.getStatus(), e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    } catch (VirtualMachineError e) {
      QueryException reason = VirtualMachineErrors.toException(e);
      throw new BadRequestException(reason.getStatus(), reason.getMessage());
    } catch (TokenMgrError e) {
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST, "The expression cannot be read: " + e.getMessage());
    } catch (LinkageError | AssertionError e) {
      throw new BadRequestException(
          HttpResponseStatus.INTERNAL_SERVER_ERROR, "The TSD has an internal fault: " + e);
    }
  }
}
