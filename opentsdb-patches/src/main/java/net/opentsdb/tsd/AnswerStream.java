package net.opentsdb.tsd;

import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.opentsdb.core.DamagedCells;
import net.opentsdb.core.QueryException;
import net.opentsdb.stats.QueryStats;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFuture;
import org.jboss.netty.channel.ChannelFutureListener;
import org.jboss.netty.handler.codec.http.DefaultHttpChunk;
import org.jboss.netty.handler.codec.http.HttpChunk;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Sends a long answer in chunks while it is made. Few chunks are on their way at once; the thread
 * that makes the answer waits for the client to take them.
 *
 * <p>Where an error comes up, or the client takes too little, the connection is closed without the
 * last chunk: the client sees a broken answer, never a short one that looks whole.
 *
 * <p>One instance for each answer. All methods are called by the thread that makes it, which must
 * not be an I/O thread; {@link #THREADS} has such threads.
 */
@NullMarked
final class AnswerStream {
  /** Chunks that may be on their way at once. */
  static final int WINDOW = 16;

  /** Makes answers that may have to wait for clients. None waits for a thread: it is rejected. */
  static final ThreadPoolExecutor THREADS = threads();

  private static final int THREADS_MAX = 64;

  /** How long a client may take nothing. */
  private static final long STALL_MS = 30_000;

  /** Bytes in a second that a client has to take on average, so that none holds rows for hours. */
  private static final long RATE_MIN = 1 << 16;

  private final HttpQuery query;
  private final QueryStats stats;
  private final AnsweredOnce answered;
  private final Channel channel;
  private final long stallMs;
  private final Semaphore window = new Semaphore(WINDOW);
  private volatile boolean gone;
  private long waitedMs;
  private long sentBytes;

  AnswerStream(HttpQuery query, QueryStats stats, AnsweredOnce answered, long stallMs) {
    this.query = query;
    this.stats = stats;
    this.answered = answered;
    this.channel = query.channel();
    this.stallMs = stallMs;
  }

  /**
   * A stream for a query; null if its answer has to be held until it is whole: an HTTP/1.0 client
   * knows no chunks, and how many damaged cells are left out is told in a header.
   */
  static @Nullable AnswerStream of(HttpQuery query, QueryStats stats, AnsweredOnce answered) {
    boolean chunks = query.request().getProtocolVersion().equals(HttpVersion.HTTP_1_1);
    return chunks && !DamagedCells.leavesOut(query.tsdb)
        ? new AnswerStream(query, stats, answered, STALL_MS)
        : null;
  }

  /**
   * Sends the head.
   *
   * @throws QueryException if there has been another answer
   */
  void begin() {
    if (!answered.beginStream(this::breakOff)) {
      throw new QueryException(
          HttpResponseStatus.REQUEST_TIMEOUT, "This query has already been answered");
    }
    HttpResponse response = query.response();
    response.setStatus(HttpResponseStatus.OK);
    response
        .headers()
        .set(HttpHeaders.Names.CONTENT_TYPE, query.serializer().responseContentType());
    HttpHeaders.setTransferEncodingChunked(response);
    response.setChunked(true);
    channel.write(response).addListener(this::written);
  }

  /**
   * Sends a part, when there is room.
   *
   * @throws QueryException if the client is gone or too slow
   */
  void send(ChannelBuffer part) {
    awaitRoom();
    sentBytes += part.readableBytes();
    channel
        .write(new DefaultHttpChunk(part))
        .addListener(
            done -> {
              written(done);
              window.release();
            });
  }

  /** Ends the answer, which is whole. */
  void end() {
    ChannelFuture last = channel.write(HttpChunk.LAST_CHUNK);
    last.addListener(
        done -> {
          if (done.isSuccess()) {
            stats.markSent();
          } else {
            stats.markSendFailed();
          }
        });
    if (!HttpHeaders.isKeepAlive(query.request())) {
      last.addListener(ChannelFutureListener.CLOSE);
    }
    query.done();
  }

  /** How long the client has been waited for, in milliseconds. */
  long waitedMs() {
    return waitedMs;
  }

  private void awaitRoom() {
    if (window.tryAcquire()) {
      check(true);
      return;
    }
    long began = System.nanoTime();
    boolean room = false;
    try {
      room = window.tryAcquire(stallMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    waitedMs += TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    check(room && waitedMs <= stallMs + sentBytes * 1_000 / RATE_MIN);
  }

  private void check(boolean inTime) {
    if (gone || !channel.isConnected()) {
      throw new QueryException(
          HttpResponseStatus.REQUEST_TIMEOUT, "The client closed the connection");
    }
    if (!inTime) {
      throw new QueryException(
          HttpResponseStatus.REQUEST_TIMEOUT,
          "The client took "
              + sentBytes
              + " bytes of the answer, too slowly: the connection is closed");
    }
  }

  private void written(ChannelFuture done) {
    if (!done.isSuccess()) {
      gone = true;
    }
  }

  private void breakOff() {
    channel.close();
    stats.markSendFailed();
    query.done();
  }

  private static ThreadPoolExecutor threads() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        THREADS_MAX,
        60,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "OpenTSDB Answer #" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
