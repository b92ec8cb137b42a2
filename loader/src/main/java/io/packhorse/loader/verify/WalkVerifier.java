package io.packhorse.loader.verify;

import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.loader.resolve.UidStore;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Reads a loaded reference walk back and compares every point with the generated one. */
public final class WalkVerifier {
  private static final int DIFFERENCES_MAX = 10;

  private final WalkSpec spec;
  private final RowKeyLayout layout;
  private final RowSource rows;
  private final UidStore uids;
  private final AtomicLong checked = new AtomicLong();

  /**
   * @param rows of the data table
   */
  public WalkVerifier(WalkSpec spec, RowKeyLayout layout, RowSource rows, UidStore uids) {
    this.spec = spec;
    this.layout = layout;
    this.rows = rows;
    this.uids = uids;
  }

  /** Points compared so far; any thread. */
  public long checkedPoints() {
    return checked.get();
  }

  /** Reads all rows, one task per salt bucket on the executor. */
  public VerifyReport verify(ExecutorService executor) throws IOException, InterruptedException {
    Map<Tsuid, Integer> sensors = new HashMap<>();
    OptionalLong metric = uids.find(UidKind.METRIC, spec.metric());
    OptionalLong tagk = uids.find(UidKind.TAGK, "sensor");
    for (int series = 0; series < spec.sensors(); series++) {
      OptionalLong tagv = uids.find(UidKind.TAGV, WalkSpec.sensorName(series));
      if (metric.isPresent() && tagk.isPresent() && tagv.isPresent()) {
        Tsuid tsuid =
            Tsuid.of(layout.widths(), metric.getAsLong(), tagk.getAsLong(), tagv.getAsLong());
        sensors.put(tsuid, series);
      }
    }
    Findings total = new Findings();
    if (metric.isPresent()) {
      List<Future<Findings>> tasks = new ArrayList<>();
      for (int bucket = 0; bucket < layout.salt().buckets(); bucket++) {
        int wanted = bucket;
        tasks.add(executor.submit(() -> scan(wanted, metric.getAsLong(), sensors)));
      }
      for (Future<Findings> task : tasks) {
        total.add(get(task));
      }
    } else {
      total.differ(
          () -> "metric '" + spec.metric() + "' has no UID: nothing is stored under that name");
    }
    return total.report(spec);
  }

  private static Findings get(Future<Findings> task) throws IOException, InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException("verification failed unexpectedly", e.getCause());
    }
  }

  private Findings scan(int bucket, long metric, Map<Tsuid, Integer> sensors) throws IOException {
    Findings found = new Findings();
    RowPoints points = new RowPoints();
    long[] expected = new long[spec.pointsPerHour()];
    rows.scan(
        bucket,
        metric,
        spec.startSeconds(),
        spec.endSeconds(),
        row -> {
          found.rows++;
          compare(row, points, sensors, expected, found);
          found.columns += points.columns();
        });
    return found;
  }

  private void compare(
      StoredRow row,
      RowPoints points,
      Map<Tsuid, Integer> sensors,
      long[] expected,
      Findings found) {
    String where = "row " + java.util.HexFormat.of().formatHex(row.rowKey());
    try {
      Tsuid tsuid = layout.tsuid(row.rowKey());
      long base = layout.baseTimeSeconds(row.rowKey());
      PointBlock block = points.of(row);
      Integer series = sensors.get(tsuid);
      if (series == null) {
        found.extra += block.count();
        found.differ(() -> where + ": series " + tsuid + " is not part of the reference walk");
        return;
      }
      int hour = (int) ((base - spec.startSeconds()) / 3600);
      int count = spec.values(series, hour, expected, 0);
      found.seen.set(series * spec.hours() + hour);
      compare(
          block, expected, count, where + ", " + spec.seriesName(series) + " at " + base, found);
      checked.addAndGet(count);
    } catch (MalformedCellException e) {
      found.differ(() -> where + ": " + e.getMessage());
    }
  }

  private void compare(PointBlock block, long[] expected, int count, String where, Findings found) {
    int slot = 0;
    for (int i = 0; i < block.count(); i++) {
      int offset = block.offsetsMs()[i];
      int wanted = offset / spec.intervalMs();
      if (offset % spec.intervalMs() != 0 || wanted >= count) {
        found.extra++;
        found.differ(() -> where + ": unexpected point at +" + offset + " ms");
        continue;
      }
      found.missing(wanted - slot, where, slot);
      slot = wanted + 1;
      if (block.isDouble()[i] || block.values()[i] != expected[wanted]) {
        found.wrong++;
        boolean isDouble = block.isDouble()[i];
        long value = block.values()[i];
        found.differ(
            () ->
                where
                    + " +"
                    + offset
                    + " ms: expected "
                    + expected[wanted]
                    + ", found "
                    + (isDouble ? "a double" : Long.toString(value)));
      } else {
        found.equal++;
      }
    }
    found.missing(count - slot, where, slot);
  }

  private static final class Findings {
    private long rows;
    private long columns;
    private long equal;
    private long missingInRows;
    private long wrong;
    private long extra;
    private final BitSet seen = new BitSet();
    private final List<String> differences = new ArrayList<>();

    void differ(Supplier<String> sentence) {
      if (differences.size() < DIFFERENCES_MAX) {
        differences.add(sentence.get());
      }
    }

    void missing(int points, String where, int firstSlot) {
      if (points > 0) {
        missingInRows += points;
        differ(
            () ->
                where
                    + ": "
                    + points
                    + " points missing, from point "
                    + firstSlot
                    + " of the hour");
      }
    }

    void add(Findings other) {
      rows += other.rows;
      columns += other.columns;
      equal += other.equal;
      missingInRows += other.missingInRows;
      wrong += other.wrong;
      extra += other.extra;
      seen.or(other.seen);
      other.differences.forEach(difference -> differ(() -> difference));
    }

    VerifyReport report(WalkSpec spec) {
      long missing = missingInRows;
      int hours = spec.hours();
      long all = (long) spec.sensors() * hours;
      for (int at = seen.nextClearBit(0); at < all; at = seen.nextClearBit(at + 1)) {
        int points = spec.pointsInHour(at % hours);
        missing += points;
        int series = at / hours;
        int hour = at % hours;
        differ(
            () ->
                spec.seriesName(series)
                    + " at "
                    + spec.baseSeconds(hour)
                    + ": no readable row, "
                    + points
                    + " points missing");
      }
      return new VerifyReport(
          spec.totalPoints(),
          equal,
          missing,
          wrong,
          extra,
          rows,
          columns,
          List.copyOf(differences));
    }
  }
}
