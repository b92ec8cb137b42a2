package io.packhorse.loader.pack;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects points into hours and turns each finished hour into a cell. One packer owns a series;
 * one thread owns a packer.
 *
 * <p>The newest hours of a series are sealed as it goes on. Any other hour may have been met
 * before: it is late, and waits with its like until the end of the input. Where memory is short all
 * open hours go to a file and are late from then on; when there are many files, they are merged and
 * everything is sealed.
 *
 * <p>A (row, loader id, part) is written once: an hour has one seal under a loader id, and late
 * hours are sealed under a fresh one.
 */
public final class HourPacker {
  /** What a packer needs from outside. */
  public interface Surroundings {
    /** A loader id nobody else has. */
    LoaderId newLoaderId() throws IOException;

    /** Takes a finished cell. */
    void write(CellWrite cell) throws IOException, InterruptedException;

    /** Where hours go that memory has no room for: a file that is nobody else's. */
    Path newHourFile() throws IOException;
  }

  /**
   * The hours open at a moment.
   *
   * @param files with their points, for {@link OpenHours} in this order; they stay
   * @param replacedPoints that a later one of their time has replaced, and are not in the files
   */
  public record Saved(List<HourFile> files, long replacedPoints) {}

  /** Files merged at once. */
  private static final int FILES_MAX = 64;

  private static final long HOUR_MS = PointBlock.HOUR_MS;

  private final SealPolicy policy;
  private final Surroundings outside;
  private final CellWriter cells;

  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock decoded = new PointBlock(0);
  private final HourPoints gathered = new HourPoints();
  private final HourTable table = new HourTable();

  /** By series: the newest hour since 1970 that was sealed or spilled, or was late. */
  private int[] closed = {};

  /** Oldest first; the first so many of them are kept for a checkpoint. */
  private final List<HourFile> spilled = new ArrayList<>();

  private int kept;
  private long nowSeconds;
  private long nextLookSeconds;
  private long noneLateSeconds;
  private long replacedPoints;

  /**
   * @param tsuids TSUID by series id
   * @param policy with the memory of this packer alone
   */
  public HourPacker(
      CellForm form,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      SealPolicy policy,
      Surroundings outside)
      throws IOException {
    this.policy = policy;
    this.outside = outside;
    this.cells = new CellWriter(form, layout, tsuids, outside);
  }

  /** Takes all points of a batch; the batch is only read. */
  public void accept(PointBatch batch) throws IOException, InterruptedException {
    long[] timestampsMs = batch.timestampsMs();
    for (int run = 0; run < batch.runs(); run++) {
      int series = batch.series(run);
      int end = batch.end(run);
      int at = batch.start(run);
      while (at < end) {
        int hour = (int) (BaseTime.ofMillis(timestampsMs[at]) / BaseTime.HOUR_SECONDS);
        if (policy.openHoursPerSeries() == 0 && hour > closed(series)) {
          gathered.clear();
          at = gathered.take(timestampsMs, batch.bits(), batch.isDouble(), at, end, hour * HOUR_MS);
          seal(series, hour, gatheredInOrder());
        } else {
          int entry = entryOf(series, hour);
          at = table.take(entry, timestampsMs, batch.bits(), batch.isDouble(), at, end);
        }
      }
      if (table.bytes() > policy.openBytesMax()) {
        spill();
      }
    }
  }

  /** Seals everything still open: the end of the input. */
  public void finish() throws IOException, InterruptedException {
    sealAll();
  }

  /**
   * Says what time it is. If the policy asks the clock, hours are sealed that have waited long
   * enough.
   *
   * @param ms since 1970
   */
  public void passTime(long ms) throws IOException, InterruptedException {
    nowSeconds = ms / 1000;
    table.setNow((int) nowSeconds);
    int idle = policy.idleSeconds();
    if (idle == 0 || nowSeconds < nextLookSeconds) {
      return;
    }
    nextLookSeconds = nowSeconds + Math.max(1, idle / 10);
    for (int series = 0; series < table.seriesEnd(); series++) {
      for (int entry = oldest(series); isIdle(entry); entry = oldest(series)) {
        sealNewest(entry);
      }
    }
    if (table.lateCount() == 0 && spilled.isEmpty()) {
      noneLateSeconds = nowSeconds;
    } else if (nowSeconds - noneLateSeconds >= idle) {
      if (spilled.isEmpty()) {
        sealLate();
      } else {
        sealAll();
      }
    }
  }

  private boolean isIdle(int entry) {
    return entry != HourTable.NONE
        && (int) nowSeconds - table.touched(entry) >= policy.idleSeconds()
        && (table.hour(entry) + 1L) * BaseTime.HOUR_SECONDS <= nowSeconds;
  }

  private int closed(int series) {
    return series < closed.length ? closed[series] : -1;
  }

  private void close(int series, int hour) {
    if (series >= closed.length) {
      int known = closed.length;
      closed = Arrays.copyOf(closed, Math.max(series + 1, known + (known >> 1)));
      Arrays.fill(closed, known, closed.length, -1);
    }
    closed[series] = Math.max(closed[series], hour);
  }

  /** The open hour of a point; may seal another one of its series. */
  private int entryOf(int series, int hour) throws IOException, InterruptedException {
    int open = 0;
    int oldest = HourTable.NONE;
    for (int entry = table.newest(series); entry != HourTable.NONE; entry = table.next(entry)) {
      if (table.hour(entry) == hour) {
        return entry;
      }
      open++;
      if (oldest == HourTable.NONE || table.hour(entry) < table.hour(oldest)) {
        oldest = entry;
      }
    }
    if (hour > closed(series)) {
      if (open < policy.openHoursPerSeries()) {
        return table.openNewest(series, hour);
      }
      if (oldest != HourTable.NONE && table.hour(oldest) < hour) {
        sealNewest(oldest);
        return table.openNewest(series, hour);
      }
      close(series, hour);
    }
    return table.openLate(series, hour);
  }

  /** The oldest of the newest hours of a series, or NONE. */
  private int oldest(int series) {
    int oldest = table.newest(series);
    for (int entry = oldest; entry != HourTable.NONE; entry = table.next(entry)) {
      if (table.hour(entry) < table.hour(oldest)) {
        oldest = entry;
      }
    }
    return oldest;
  }

  private void seal(int series, int hour, PointBlock block)
      throws IOException, InterruptedException {
    close(series, hour);
    cells.write(series, hour, block);
  }

  private void sealNewest(int entry) throws IOException, InterruptedException {
    seal(table.series(entry), table.hour(entry), points(entry));
    table.removeNewest(entry);
  }

  private void sealLate() throws IOException, InterruptedException {
    if (table.lateCount() > 0) {
      cells.takeLoaderId();
      for (long key : table.lateKeys()) {
        int entry = table.find(key);
        seal(table.series(entry), table.hour(entry), points(entry));
      }
      table.removeLate();
    }
  }

  private void sealAll() throws IOException, InterruptedException {
    if (!spilled.isEmpty()) {
      spill();
      sealSpilled();
      return;
    }
    for (int series = 0; series < table.seriesEnd(); series++) {
      for (int entry = oldest(series); entry != HourTable.NONE; entry = oldest(series)) {
        sealNewest(entry);
      }
    }
    sealLate();
  }

  /** Writes all hours in memory to a file; late ones they are from now on. */
  private void spill() throws IOException, InterruptedException {
    if (!table.isEmpty()) {
      long[] keys = table.keys();
      spilled.add(save(keys));
      for (long key : keys) {
        int entry = table.find(key);
        close(table.series(entry), table.hour(entry));
      }
      table.clear();
    }
    if (spilled.size() >= FILES_MAX) {
      sealSpilled();
    }
  }

  /** Writes hours to a file; points that a later one has replaced are counted here. */
  private HourFile save(long[] keys) throws IOException {
    try (HourWriter writer = new HourWriter(outside.newHourFile())) {
      for (long key : keys) {
        int entry = table.find(key);
        PointBlock block = points(entry);
        for (int from = 0; from < block.count(); from += PackedCellEncoder.MAX_POINTS) {
          PointBlock piece = cells.piece(block, from);
          writer.write(
              table.series(entry), table.hour(entry), piece.count(), encoder.encode(piece));
        }
      }
      return writer.finish();
    }
  }

  /** Seals what was spilled, under a loader id of its own. */
  private void sealSpilled() throws IOException, InterruptedException {
    if (spilled.isEmpty()) {
      return;
    }
    cells.takeLoaderId();
    try (HourMerge merge = new HourMerge(spilled)) {
      for (SavedHour hour = merge.next(); hour != null; ) {
        hour = seal(hour, merge);
      }
    }
    for (HourFile file : spilled.subList(kept, spilled.size())) {
      Files.deleteIfExists(file.path());
    }
    spilled.clear();
    kept = 0;
  }

  /** Seals an hour with all there is of it; the hour after it, or null. */
  private @Nullable SavedHour seal(SavedHour first, HourMerge merge)
      throws IOException, InterruptedException {
    SavedHour next = merge.next();
    if (cells.takesPacked() && (next == null || !next.joins(first))) {
      cells.write(first);
      return next;
    }
    gathered.clear();
    gather(first);
    for (; next != null && next.joins(first); next = merge.next()) {
      gather(next);
    }
    seal(first.series(), first.hour(), gatheredInOrder());
    return next;
  }

  private void gather(SavedHour hour) throws IOException {
    try {
      decoder.decode(hour.cell(), decoded);
    } catch (MalformedCellException e) {
      throw new IOException("open hours on disk are damaged: " + e.getMessage(), e);
    }
    gathered.take(decoded);
  }

  /** The points of an open hour, each time once; counts those that were replaced. */
  private PointBlock points(int entry) {
    gathered.clear();
    table.copy(entry, gathered);
    return gatheredInOrder();
  }

  private PointBlock gatheredInOrder() {
    PointBlock block = gathered.merged();
    replacedPoints += gathered.taken() - block.count();
    return block;
  }

  /** Keeps all hours open now; they stay open, and what is spilled already is not written again. */
  public Saved saveOpen() throws IOException {
    List<HourFile> files = new ArrayList<>(spilled);
    kept = spilled.size();
    long before = replacedPoints;
    if (!table.isEmpty()) {
      files.add(save(table.keys()));
    }
    long replaced = replacedPoints - before;
    // They are still open, and counted when their hour is sealed.
    replacedPoints = before;
    return new Saved(files, replaced);
  }

  /** Points in cells handed to the sink. */
  public long packedPoints() {
    return cells.points();
  }

  /** Points that a later one of the same series and time replaced before their hour was sealed. */
  public long replacedPoints() {
    return replacedPoints;
  }

  /** Cells handed to the sink. */
  public long cells() {
    return cells.count();
  }

  /** Bytes of those cells: row keys, qualifiers and values. */
  public long cellBytes() {
    return cells.bytes();
  }

  /** Bytes of their values alone. */
  public long valueBytes() {
    return cells.valueBytes();
  }
}
