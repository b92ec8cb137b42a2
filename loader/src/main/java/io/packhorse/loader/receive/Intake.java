package io.packhorse.loader.receive;

import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.receive.RefusedBodyException.Why;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.RejectedRecord;
import io.packhorse.loader.source.record.Rejects;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes bodies: parses each, appends it to the log as it came and passes its points on. One source
 * at a time reads them, from the log where it is behind; a new one may begin where an earlier one
 * has failed, while bodies are taken. Any number of threads.
 */
public final class Intake implements Closeable {
  /** Rejects of a body that are kept for its answer. */
  private static final int TOLD_MAX = 1000;

  private static final long WAIT_NS_A_POINT = 2_000;
  private static final long WAIT_NS_MAX = TimeUnit.MILLISECONDS.toNanos(200);

  private final SegmentLog log;
  private final Forcer forcer;
  private final SourceSpec spec;
  private final Limits limits;
  private final LongAdder points = new LongAdder();
  private final LongAdder rejected = new LongAdder();

  /** Orders the records of the log; guards what follows, and the queue of the reading. */
  private final Object order = new Object();

  private final long first;
  private long end;
  private boolean ended;
  private Reading reading;

  /**
   * What is taken.
   *
   * @param textBytesMax limit of a decompressed body
   * @param queuedPoints about the most points that wait in memory
   * @param aheadMs how much later than its arrival a point may be, milliseconds
   */
  public record Limits(long textBytesMax, int queuedPoints, long aheadMs) {}

  /**
   * What was taken of a body.
   *
   * @param points that were taken
   * @param leftOut values that the rules leave out
   * @param rejected records or fields that are no points
   * @param rejects the first of them
   */
  public record Taken(int points, long leftOut, int rejected, List<RejectedRecord> rejects) {}

  /** Parsers whose series have the numbers of one source, and the queue to that source. */
  private static final class Reading {
    private final ReceiverFormats formats;
    private final LiveQueue queue;
    private final Queue<BodyReader> idle = new ConcurrentLinkedQueue<>();

    Reading(SeriesNames names, SourceSpec spec, Limits limits) {
      formats = new ReceiverFormats(names, spec, limits.aheadMs());
      queue = new LiveQueue(limits.queuedPoints());
    }

    BodyReader reader() {
      BodyReader free = idle.poll();
      return free == null ? new BodyReader(formats) : free;
    }
  }

  /**
   * @param log closed with this object
   * @param spec rules for names and fields
   */
  public Intake(SegmentLog log, SourceSpec spec, Limits limits) {
    this.log = log;
    this.spec = spec;
    this.limits = limits;
    this.forcer = new Forcer(log);
    this.first = log.end();
    this.end = first;
    this.reading = new Reading(new SeriesNames(), spec, limits);
  }

  /**
   * Opens the source of the points after a position, taking over from an earlier one.
   *
   * @param names gets every series; may hold some
   * @param from 0, or a position that such a source gave
   * @param rejects gets the rejects
   */
  public LogSource source(SeriesNames names, long from, Rejects rejects) {
    synchronized (order) {
      reading = new Reading(names, spec, limits);
      return new LogSource(
          this, log, forcer, reading.queue, new BodyReader(reading.formats), from, rejects);
    }
  }

  /**
   * Takes a body. It is safe once {@link #whenDurable} calls back.
   *
   * @throws RefusedBodyException if nothing of it was taken
   */
  public Taken take(ReceivedBody body) throws RefusedBodyException {
    Reading current;
    synchronized (order) {
      current = reading;
    }
    BodyReader reader = current.reader();
    try {
      Points parsed = reader.read(body, limits.textBytesMax());
      int taken = parsed.batch().points();
      List<RejectedRecord> bad = parsed.rejectedHere();
      if (taken > 0 || !bad.isEmpty() || parsed.leftOutHere() > 0) {
        append(body, current, parsed);
      }
      List<RejectedRecord> told = new ArrayList<>();
      bad.stream().limit(TOLD_MAX).forEach(each -> told.add(each.copy()));
      return new Taken(taken, parsed.leftOutHere(), bad.size(), told);
    } finally {
      current.idle.add(reader);
    }
  }

  private void append(ReceivedBody body, Reading current, Points parsed)
      throws RefusedBodyException {
    byte[] head = body.recordHead();
    synchronized (order) {
      awaitRoom(current, parsed);
      if (ended) {
        throw new RefusedBodyException(Why.ENDED, "The receiver is stopping");
      }
      OptionalLong next;
      try {
        next = log.append(head, body.bytes());
      } catch (IOException e) {
        throw new RefusedBodyException(
            Why.BUSY, "The receiver cannot write its log: " + e.getMessage());
      }
      if (next.isEmpty()) {
        throw new RefusedBodyException(
            Why.BUSY, "The receiver's log is full, because HBase is slow or away: try again later");
      }
      current.queue.offer(end, next.getAsLong(), body.client(), parsed);
      end = next.getAsLong();
      points.add(parsed.batch().points());
      rejected.add(parsed.rejectedHere().size());
      order.notifyAll();
    }
  }

  /**
   * Where the queue is full, a large body waits for the source, because its points would have to be
   * read a second time, from the log. It waits no longer than it takes to store so many points.
   */
  private void awaitRoom(Reading current, Points parsed) throws RefusedBodyException {
    long wait = Math.min(WAIT_NS_MAX, parsed.batch().points() * WAIT_NS_A_POINT);
    long deadline = System.nanoTime() + wait;
    while (!ended && current.queue.isFullFor(parsed, end)) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return;
      }
      try {
        order.wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RefusedBodyException(Why.BUSY, "The receiver is stopping");
      }
    }
  }

  /**
   * Calls back when all bodies taken so far are on disk, or it has turned out that they cannot be
   * brought there: then their clients must send them again.
   *
   * @param then called on another thread; must not block
   */
  public void whenDurable(Consumer<@Nullable IOException> then) {
    forcer.whenForced(then);
  }

  /** Waits until all bodies taken so far are on disk. */
  void awaitDurable() throws IOException, InterruptedException {
    forcer.awaitForced();
  }

  /** Takes no more bodies; the source ends when it has given all that was taken. */
  public void end() {
    synchronized (order) {
      ended = true;
      order.notifyAll();
    }
  }

  /** The next batch from the queue; waits a moment where there is nothing after the position. */
  @SuppressWarnings("WaitNotInLoop") // the source asks again
  LiveQueue.@Nullable Batch take(LiveQueue queue, long position, long waitMs)
      throws InterruptedException {
    synchronized (order) {
      if (position >= end && !ended) {
        order.wait(waitMs);
      }
      LiveQueue.Batch batch = queue.take(position);
      if (batch != null) {
        order.notifyAll();
      }
      return batch;
    }
  }

  /** Whether the log has nothing after a position. */
  boolean isAtEnd(long position) {
    synchronized (order) {
      return position >= end;
    }
  }

  /** Whether no body was taken. */
  public boolean isUnused() {
    return isAtEnd(first);
  }

  /** Whether that will stay so. */
  boolean isEnded() {
    synchronized (order) {
      return ended;
    }
  }

  void recycle(LiveQueue queue, LiveQueue.Batch batch) {
    synchronized (order) {
      queue.recycle(batch.points);
    }
  }

  /** Gives up what lies before a position: its points are stored, or kept elsewhere. */
  public void free(long before) throws IOException {
    log.free(before);
  }

  /** Sets the limit of the log, in bytes. */
  public void limitLog(long bytes) {
    log.limit(bytes);
  }

  /** Points taken. */
  public long points() {
    return points.sum();
  }

  /** Records and fields rejected. */
  public long rejected() {
    return rejected.sum();
  }

  /** Bytes of the log. */
  public long logBytes() {
    return log.bytes();
  }

  @Override
  public void close() throws IOException {
    end();
    forcer.close();
    log.close();
  }
}
