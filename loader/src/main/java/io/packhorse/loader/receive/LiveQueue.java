package io.packhorse.loader.receive;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.RejectedRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Points of bodies that were appended to the log just now, so that they need not be read from there
 * again. It takes no more than it has room for: what it does not take is read from the log. Small
 * bodies share a batch. One thread at a time.
 */
final class LiveQueue {
  private static final int BATCH_POINTS = 1 << 14;

  /** A larger batch, of one large body, is not kept to be filled again. */
  private static final int SPARE_POINTS_MAX = 1 << 18;

  private final int pointsMax;
  private final ArrayDeque<Batch> batches = new ArrayDeque<>();
  private final ArrayDeque<PointBatch> spare = new ArrayDeque<>();
  private int queued;

  /**
   * A reject of a body.
   *
   * @param client that sent the body
   * @param place of the body's record in the log
   */
  record Refused(String client, long place, RejectedRecord record) {}

  /** The points of the records between two positions of the log. */
  static final class Batch {
    final PointBatch points;
    final List<Refused> refused = new ArrayList<>();
    final long from;
    long to;
    long leftOut;

    private Batch(PointBatch points, long from) {
      this.points = points;
      this.from = from;
      this.to = from;
    }

    void add(long end, String client, Points parsed) {
      points.addAll(parsed.batch());
      for (RejectedRecord each : parsed.rejectedHere()) {
        refused.add(new Refused(client, to, each.copy()));
      }
      leftOut += parsed.leftOutHere();
      to = end;
    }
  }

  /**
   * @param pointsMax about the most points that wait
   */
  LiveQueue(int pointsMax) {
    this.pointsMax = pointsMax;
  }

  /**
   * Whether the points of a record would be taken later, when some of those before are gone.
   *
   * @param from end position of the record before
   */
  boolean isFullFor(Points parsed, long from) {
    Batch last = batches.peekLast();
    return last != null && last.to == from && queued + size(parsed) > pointsMax;
  }

  private static int size(Points parsed) {
    return parsed.batch().points() + parsed.rejectedHere().size();
  }

  /**
   * Adds the points of a record, if there is room.
   *
   * @param from end position of the record before
   * @param to end position of the record
   */
  void offer(long from, long to, String client, Points parsed) {
    Batch last = batches.peekLast();
    int more = size(parsed);
    if (last != null && (last.to != from || queued + more > pointsMax)) {
      return;
    }
    if (last == null || last.points.points() + more > BATCH_POINTS) {
      PointBatch points = spare.isEmpty() ? new PointBatch(Math.max(64, more)) : spare.pop();
      last = new Batch(points, from);
      batches.add(last);
    }
    last.add(to, client, parsed);
    queued += more;
  }

  /** The batch that begins at a position; null if it has none. Earlier ones are dropped. */
  @Nullable Batch take(long position) {
    Batch first = batches.peek();
    while (first != null && first.to <= position) {
      remove();
      recycle(first.points);
      first = batches.peek();
    }
    if (first == null || first.from != position) {
      return null;
    }
    remove();
    return first;
  }

  private void remove() {
    Batch removed = batches.remove();
    queued -= removed.points.points() + removed.refused.size();
  }

  /** Takes a batch back that is not used any more. */
  void recycle(PointBatch points) {
    if (spare.size() < 2 && points.bits().length <= SPARE_POINTS_MAX) {
      points.clear();
      spare.push(points);
    }
  }
}
