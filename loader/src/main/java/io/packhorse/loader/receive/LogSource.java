package io.packhorse.loader.receive;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.receive.log.LogReader;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.RejectedRecord;
import io.packhorse.loader.source.record.Rejects;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The points of a log in the order of its records. Those of the newest records come from memory,
 * others from the log's files. It gives only what is on disk, so that no checkpoint names a
 * position that a crash may take away. One thread.
 */
public final class LogSource implements PointSource {
  private static final int WAIT_MS = 200;
  private static final int BATCH_POINTS = 1 << 14;

  private final Intake intake;
  private final SegmentLog log;
  private final Forcer forcer;
  private final LiveQueue queue;
  private final BodyReader bodies;
  private final Rejects rejects;
  private final PointBatch gathered = new PointBatch(BATCH_POINTS);
  private final AtomicLong leftOut = new AtomicLong();

  private LiveQueue.@Nullable Batch given;
  private @Nullable LogReader reader;
  private long position;

  LogSource(
      Intake intake,
      SegmentLog log,
      Forcer forcer,
      LiveQueue queue,
      BodyReader bodies,
      long from,
      Rejects rejects) {
    this.intake = intake;
    this.log = log;
    this.forcer = forcer;
    this.queue = queue;
    this.bodies = bodies;
    this.position = from;
    this.rejects = rejects;
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    if (given != null) {
      intake.recycle(queue, given);
      given = null;
    }
    boolean ends = intake.isEnded();
    LiveQueue.Batch batch = intake.take(queue, position, WAIT_MS);
    if (batch != null) {
      awaitForced(batch.to);
      return give(batch);
    }
    gathered.clear();
    if (intake.isAtEnd(position)) {
      return ends ? null : gathered;
    }
    readLog();
    return gathered;
  }

  private PointBatch give(LiveQueue.Batch batch) throws IOException {
    for (LiveQueue.Refused each : batch.refused) {
      rejects.add(each.client(), 1, each.place(), each.record());
    }
    leftOut.addAndGet(batch.leftOut);
    position = batch.to;
    given = batch;
    return batch.points;
  }

  /** Fills a batch with points of records that are not in memory. */
  private void readLog() throws IOException, InterruptedException {
    LogReader from = reader;
    if (from == null || from.position() != position) {
      close();
      from = log.reader(position);
      reader = from;
    }
    while (gathered.points() < BATCH_POINTS) {
      byte[] payload = from.next();
      if (payload == null) {
        position = from.position();
        if (gathered.points() == 0 && !intake.isAtEnd(position)) {
          // The records are there, but not on disk yet.
          awaitForced(Long.MAX_VALUE);
        }
        return;
      }
      parse(payload);
      position = from.position();
    }
  }

  private void parse(byte[] payload) throws IOException {
    ReceivedBody body = ReceivedBody.ofRecord(payload);
    Points parsed;
    try {
      parsed = bodies.read(body, Integer.MAX_VALUE);
    } catch (RefusedBodyException e) {
      throw new IOException("the log has a record that was valid once: " + e.getMessage(), e);
    }
    gathered.addAll(parsed.batch());
    for (RejectedRecord each : parsed.rejectedHere()) {
      rejects.add(body.client(), 1, position, each);
    }
    leftOut.addAndGet(parsed.leftOutHere());
  }

  private void awaitForced(long to) throws IOException, InterruptedException {
    if (log.forced() < to) {
      forcer.awaitForced();
    }
  }

  /** Points that the rules leave out. Any thread. */
  public long leftOut() {
    return leftOut.get();
  }

  /** The offset is a position of the log. */
  @Override
  public Optional<SourcePosition> position() {
    return Optional.of(new SourcePosition(0, position, 1));
  }

  /** Closes the file that is open; the log stays open. */
  @Override
  public void close() throws IOException {
    LogReader open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
  }
}
