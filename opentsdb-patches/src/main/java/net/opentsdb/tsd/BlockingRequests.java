package net.opentsdb.tsd;

import com.stumbleupon.async.Callback;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.opentsdb.core.QueryException;
import net.opentsdb.core.QueryMemory;
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
  private static final int RUNNING_MAX = 16;

  /** With those whose request was given up, but whose call to HBase has not ended. */
  private static final int THREADS_MAX = 256;

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

  private final TelnetPuts puts = new TelnetPuts();
  private final Queue<Request> waiting = new ArrayDeque<>();
  private int running;
  private final ThreadPoolExecutor threads;

  BlockingRequests() {
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            0,
            THREADS_MAX,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "OpenTSDB Request #" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
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
  void execute(TSDB tsdb, String route, HttpRpc handler, HttpQuery query, AnsweredOnce answered)
      throws Exception {
    if (!HTTP.contains(route) && !isForLastPoints(route, query)) {
      run(() -> handler.execute(tsdb, query));
      return;
    }
    QueryMemory memory = new QueryMemory();
    answered.then(memory::close);
    Callback<String, HttpQuery> counted =
        memory.counting(
            given -> {
              handler.execute(tsdb, given);
              return "";
            });
    Request request =
        new Request(
            () -> {
              try {
                run(() -> counted.call(query));
              } catch (BadRequestException e) {
                query.badRequest(e);
              } catch (Exception e) {
                query.internalError(e);
              }
            });
    answered.then(request::giveUp);
    submit(request);
  }

  private static boolean isForLastPoints(String route, HttpQuery query) {
    if (!route.equals("api/query")) {
      return false;
    }
    String[] path = query.explodeAPIPath();
    return path.length > 1 && path[1].equalsIgnoreCase("last");
  }

  /** Carries out a telnet command; {@code stats} waits for HBase, points may. */
  void executeTelnet(TSDB tsdb, TelnetRpc handler, Channel channel, String[] command) {
    if (!command[0].equals("stats")) {
      puts.execute(tsdb, handler, channel, command);
      return;
    }
    try {
      submit(new Request(() -> handler.execute(tsdb, channel, command)));
    } catch (BadRequestException e) {
      channel.write("error: " + e.getMessage() + "\n");
    }
  }

  private synchronized void submit(Request request) {
    if (waiting.size() >= WAITING_MAX) {
      throw new BadRequestException(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "Too many requests wait for HBase: "
              + WAITING_MAX
              + ". Try again when HBase answers faster");
    }
    waiting.add(request);
    startNext();
  }

  private synchronized void startNext() {
    while (running < RUNNING_MAX && !waiting.isEmpty()) {
      try {
        threads.execute(waiting.element());
      } catch (RejectedExecutionException e) {
        return; // All threads hang in HBase; the next one that comes back goes on.
      }
      waiting.remove().running = true;
      running++;
    }
  }

  /**
   * A request that waits or is carried out. One that has been answered before its handler comes
   * back, with a 504, no longer counts: its thread may hang in a call to HBase, and others take its
   * place.
   */
  private final class Request implements Runnable {
    private final Runnable work;
    private boolean running;
    private boolean ended;

    Request(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      try {
        if (!hasEnded()) {
          work.run();
        }
      } finally {
        end();
      }
    }

    private boolean hasEnded() {
      synchronized (BlockingRequests.this) {
        return ended;
      }
    }

    /** Called when the client has its answer. */
    void giveUp() {
      end();
    }

    private void end() {
      synchronized (BlockingRequests.this) {
        if (!ended) {
          ended = true;
          if (running) {
            BlockingRequests.this.running--;
          } else {
            waiting.remove(this);
          }
        }
        startNext();
      }
    }
  }

  /**
   * Runs a handler. What it says of bad input is status 400; running out of memory or stack is an
   * answer as well, and the thread lives on.
   */
  static void run(Work work) throws Exception {
    try {
      work.run();
    } catch (RuntimeException e) {
      BadRequestException refusal = RequestErrors.refusal(e);
      throw refusal == null ? e : refusal;
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
