package io.packhorse.loader.pack;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Collects points into hours and turns each finished hour into a cell. One packer owns a series;
 * one thread owns a packer.
 *
 * <p>An hour sealed before and met again makes another part, never a rewrite: a (row, loader id,
 * part) is written once. When an hour has used up its 256 parts, the packer takes a fresh loader
 * id.
 */
public final class HourPacker {
  /** What a packer needs from outside. */
  public interface Surroundings {
    /** A loader id nobody else has. */
    LoaderId newLoaderId() throws IOException;

    /** Takes a finished cell. */
    void write(CellWrite cell) throws IOException, InterruptedException;
  }

  private static final Comparator<OpenHour> BY_TIME =
      Comparator.comparingLong(OpenHour::baseSeconds);

  /** Late hours remembered for their part numbers: about 100 MB. */
  private static final int LATE_HOURS_MAX = 1_000_000;

  private final CellForm form;
  private final RowKeyLayout layout;
  private final IntFunction<Tsuid> tsuids;
  private final SealPolicy policy;
  private final Surroundings outside;

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final ByteWriter qualifiers = new ByteWriter(7200);
  private final ByteWriter values = new ByteWriter(14401);
  private final PointBlock part = new PointBlock(0);
  private final ArrayDeque<OpenHour> spare = new ArrayDeque<>();

  /** By series id: the hours open, in no order. */
  private final List<List<OpenHour>> open = new ArrayList<>();

  private long[] newestSealed = noneSealed(128);
  private final Map<SeriesHour, Integer> laterParts = new HashMap<>();
  private LoaderId loader;

  private long openPoints;
  private long packedPoints;
  private long replacedPoints;
  private long cells;
  private long cellBytes;
  private long valueBytes;

  private record SeriesHour(int series, long baseSeconds) {}

  /**
   * @param tsuids TSUID by series id
   */
  public HourPacker(
      CellForm form,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      SealPolicy policy,
      Surroundings outside)
      throws IOException {
    this.form = form;
    this.layout = layout;
    this.tsuids = tsuids;
    this.policy = policy;
    this.outside = outside;
    this.loader = outside.newLoaderId();
  }

  /** Takes all points of a batch; the batch is only read. */
  public void accept(PointBatch batch) throws IOException, InterruptedException {
    for (int run = 0; run < batch.runs(); run++) {
      int series = batch.series(run);
      int end = batch.end(run);
      int at = batch.start(run);
      while (at < end) {
        OpenHour hour = hourOf(series, batch.timestampsMs()[at]);
        int next = hour.take(batch.timestampsMs(), batch.bits(), batch.isDouble(), at, end);
        openPoints += next - at;
        at = next;
      }
      if (policy.openHoursPerSeries() == 0) {
        sealAll(series);
      }
    }
    while (openPoints > policy.openPointsMax()) {
      sealOldest();
    }
  }

  /** Seals everything still open: the end of the input. */
  public void finish() throws IOException, InterruptedException {
    for (int series = 0; series < open.size(); series++) {
      sealAll(series);
    }
  }

  private void sealAll(int series) throws IOException, InterruptedException {
    List<OpenHour> hours = open.get(series);
    hours.sort(BY_TIME);
    for (OpenHour hour : hours) {
      seal(series, hour);
    }
    hours.clear();
  }

  private OpenHour hourOf(int series, long timestampMs) throws IOException, InterruptedException {
    while (series >= open.size()) {
      open.add(new ArrayList<>(policy.openHoursPerSeries()));
    }
    List<OpenHour> hours = open.get(series);
    long base = BaseTime.ofMillis(timestampMs);
    for (int i = 0; i < hours.size(); i++) {
      if (hours.get(i).baseSeconds() == base) {
        return hours.get(i);
      }
    }
    if (hours.size() == Math.max(1, policy.openHoursPerSeries())) {
      OpenHour oldest = Collections.min(hours, BY_TIME);
      hours.remove(oldest);
      seal(series, oldest);
    }
    OpenHour opened = spare.isEmpty() ? new OpenHour() : spare.pop();
    opened.open(base);
    hours.add(opened);
    return opened;
  }

  /** Seals every hour as old as the oldest one open, over all series. */
  private void sealOldest() throws IOException, InterruptedException {
    long oldest = Long.MAX_VALUE;
    for (List<OpenHour> hours : open) {
      for (OpenHour hour : hours) {
        oldest = Math.min(oldest, hour.baseSeconds());
      }
    }
    for (int series = 0; series < open.size(); series++) {
      Iterator<OpenHour> hours = open.get(series).iterator();
      while (hours.hasNext()) {
        OpenHour hour = hours.next();
        if (hour.baseSeconds() == oldest) {
          hours.remove();
          seal(series, hour);
        }
      }
    }
  }

  private void seal(int series, OpenHour hour) throws IOException, InterruptedException {
    PointBlock block = merged(hour);
    long base = hour.baseSeconds();
    byte[] rowKey = layout.rowKey(tsuids.apply(series), base);
    for (int from = 0; from < block.count(); from += PackedCellEncoder.MAX_POINTS) {
      emit(series, base, rowKey, piece(block, from));
    }
    openPoints -= block.count();
    spare.push(hour);
  }

  /** The hour's points, each time once; counts those that were replaced. */
  private PointBlock merged(OpenHour hour) {
    int held = hour.points();
    PointBlock block = hour.merged();
    openPoints -= held - block.count();
    replacedPoints += held - block.count();
    return block;
  }

  /** As much of a block as one cell can hold, from a point on. */
  private PointBlock piece(PointBlock block, int from) {
    if (block.count() <= PackedCellEncoder.MAX_POINTS) {
      return block;
    }
    int to = Math.min(block.count(), from + PackedCellEncoder.MAX_POINTS);
    part.clear();
    for (int i = from; i < to; i++) {
      part.add(block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
    }
    return part;
  }

  /**
   * Appends all hours open now, for {@link OpenHours} to read; they stay open. Points that a later
   * one of their time has replaced are counted here.
   */
  public void saveOpen(ByteWriter into) {
    for (int series = 0; series < open.size(); series++) {
      for (OpenHour hour : open.get(series)) {
        PointBlock block = merged(hour);
        for (int from = 0; from < block.count(); from += PackedCellEncoder.MAX_POINTS) {
          OpenHours.write(into, series, hour.baseSeconds(), encoder.encode(piece(block, from)));
        }
      }
    }
  }

  private void emit(int series, long base, byte[] rowKey, PointBlock block)
      throws IOException, InterruptedException {
    byte[] qualifier;
    byte[] value;
    if (form == CellForm.PACKED) {
      int number = partNumber(series, base);
      qualifier = new PackedQualifier(loader.id(), number).toBytes();
      value = encoder.encode(block);
    } else {
      qualifiers.reset();
      values.reset();
      CompactedCell.encode(block, qualifiers, values);
      qualifier = qualifiers.toByteArray();
      value = values.toByteArray();
    }
    CellWrite cell = new CellWrite(rowKey, form, qualifier, value, block.count(), loader.stampMs());
    outside.write(cell);
    cells++;
    packedPoints += block.count();
    cellBytes += cell.bytes();
    valueBytes += value.length;
  }

  /**
   * 0 for an hour after all those sealed of its series; else the next part this loader has not
   * used.
   */
  private int partNumber(int series, long base) throws IOException {
    if (series >= newestSealed.length) {
      int known = newestSealed.length;
      newestSealed = Arrays.copyOf(newestSealed, Math.max(series + 1, known * 2));
      Arrays.fill(newestSealed, known, newestSealed.length, Long.MIN_VALUE);
    }
    if (base > newestSealed[series]) {
      newestSealed[series] = base;
      return 0;
    }
    SeriesHour hour = new SeriesHour(series, base);
    int number = laterParts.getOrDefault(hour, 0) + 1;
    if (number > PackedQualifier.MAX_PART || laterParts.size() >= LATE_HOURS_MAX) {
      // What a fresh loader writes meets nothing of its own: all hours start at part 0 again.
      loader = outside.newLoaderId();
      newestSealed = noneSealed(newestSealed.length);
      laterParts.clear();
      newestSealed[series] = base;
      return 0;
    }
    laterParts.put(hour, number);
    return number;
  }

  private static long[] noneSealed(int length) {
    long[] sealed = new long[length];
    Arrays.fill(sealed, Long.MIN_VALUE);
    return sealed;
  }

  /** Points in cells handed to the sink. */
  public long packedPoints() {
    return packedPoints;
  }

  /** Points that a later one of the same series and time replaced before their hour was sealed. */
  public long replacedPoints() {
    return replacedPoints;
  }

  /** Cells handed to the sink. */
  public long cells() {
    return cells;
  }

  /** Bytes of those cells: row keys, qualifiers and values. */
  public long cellBytes() {
    return cellBytes;
  }

  /** Bytes of their values alone. */
  public long valueBytes() {
    return valueBytes;
  }
}
