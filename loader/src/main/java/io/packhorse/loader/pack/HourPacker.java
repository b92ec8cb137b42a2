package io.packhorse.loader.pack;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.point.IntBlocks;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects points into hours and turns each finished hour into a cell. A series has one packer, and
 * a packer one thread.
 *
 * <p>The newest hours of a series are open; the oldest of them is sealed when a newer one begins.
 * Points of any other hour are late, because that hour may be sealed already: they are collected
 * and sealed at the end of the input. Above the memory limit all open hours are spilled to a file,
 * and points that still come for them are late. When there are many files, they are merged and
 * sealed.
 *
 * <p>A (row, loader id, part) is never written twice: an hour is sealed once under a loader id, and
 * late hours are sealed under a fresh one.
 */
public final class HourPacker implements Closeable {
  /**
   * The open hours of a packer, saved for a checkpoint.
   *
   * @param files of their points, to be read by {@link OpenHours} in this order; the packer does
   *     not delete them
   * @param replacedPoints points not in the files, because a later one of the same time replaced
   *     them
   */
  public record Saved(List<HourFile> files, long replacedPoints) {}

  /**
   * Hours in which points may share times although none was counted as replaced, because they lie
   * in cells that were sealed apart.
   *
   * @param keys series and hour (since 1970) in the upper and the lower half
   * @param complete whether those are all such hours
   */
  public record SealedAgain(long[] keys, boolean complete) {
    /** Whether there is no such hour. */
    public boolean isEmpty() {
      return keys.length == 0 && complete;
    }
  }

  /** Spilled files before they are merged and sealed. */
  private static final int FILES_MAX = 64;

  private static final long[] NO_KEYS = {};

  private final SealPolicy policy;
  private final PackerContext context;
  private final CellWriter cells;

  private final HourParts parts = new HourParts();
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock decoded = new PointBlock(0);
  private final HourSorter gathered = new HourSorter();
  private final HourTable table;
  private final SealedHours sealed;

  /** A series has the place that is its number divided by this. */
  private final int every;

  /** By place: the newest hour (since 1970) that is sealed, spilled or late; -1 if none is. */
  private final IntBlocks closed = new IntBlocks(-1);

  /** Oldest first. */
  private final List<HourFile> spilled = new ArrayList<>();

  /** The first of the spilled files, which a checkpoint names: they are not deleted here. */
  private int inCheckpoint;

  /** The spilled files while they are being merged and sealed, and the next of their hours. */
  private @Nullable HourMerge merge;

  private @Nullable SavedHour toSeal;

  /** Late hours while they are being sealed, and how many of them are. */
  private long[] lateKeys = NO_KEYS;

  private int lateSealed;

  /** Series at places before it have no newest hours, while all are being sealed. */
  private int nextPlace;

  private long nowSeconds;
  private long nextIdleCheckSeconds;

  /** When open hours are published next, and when that began the last time. */
  private long nextPublishSeconds;

  private long publishedSeconds;

  /** When the last one that has ended began. */
  private long visibleUntilMs;

  /** When nothing was late or spilled, for the last time. */
  private long noneLateSeconds;

  private long replacedPoints;
  private volatile @Nullable RepeatedTime firstReplaced;

  /**
   * A packer of any series; see {@link #HourPacker(CellForm, RowKeyLayout, IntFunction, int,
   * SealPolicy, PackerContext)}.
   */
  public HourPacker(
      CellForm form,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      SealPolicy policy,
      PackerContext context) {
    this(form, layout, tsuids, 1, policy, context);
  }

  /**
   * @param tsuids TSUID by series id
   * @param every of the series' numbers, as that of the packers which share them by number: all
   *     that come here leave the same rest when divided by it
   * @param policy its memory limit is for this packer alone
   */
  public HourPacker(
      CellForm form,
      RowKeyLayout layout,
      IntFunction<Tsuid> tsuids,
      int every,
      SealPolicy policy,
      PackerContext context) {
    this.every = every;
    this.table = new HourTable(every);
    this.sealed = new SealedHours(every);
    this.policy = policy;
    this.context = context;
    this.cells = new CellWriter(form, layout, tsuids, parts, context);
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
          long baseMs = (long) hour * PointBlock.HOUR_MS;
          at = gathered.take(timestampsMs, batch.bits(), batch.isDouble(), at, end, baseMs);
          seal(series, hour, gatheredInOrder(series, hour));
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

  /**
   * Seals an hour whose points were packed elsewhere; no other point of that hour may be accepted.
   * What is one cell already is passed on without being unpacked.
   *
   * @param records of one hour of one series, 1 or more, in the order of arrival: of equal times
   *     the last one counts, and the others are counted as replaced
   * @throws IOException if a record is damaged
   */
  public void acceptPacked(List<SavedHour> records) throws IOException, InterruptedException {
    SavedHour first = records.get(0);
    if (records.size() == 1 && cells.takesPacked()) {
      noteSealed(first.series(), first.hour());
      cells.write(first);
      return;
    }
    gathered.clear();
    for (SavedHour record : records) {
      gather(record);
    }
    seal(first.series(), first.hour(), gatheredInOrder(first.series(), first.hour()));
  }

  /** Seals everything that is open, at the end of the input. */
  public void finish() throws IOException, InterruptedException {
    sealAll();
  }

  /**
   * Seals one open hour after the end of the input; no more points may be accepted. Between two
   * calls {@link #saveOpen} can save the hours that are still open.
   *
   * @return false if none was left
   */
  public boolean sealNext() throws IOException, InterruptedException {
    if (!spilled.isEmpty() && merge == null) {
      spillOpen();
      beginMerge();
    }
    return merge == null ? sealNextOfTable() : sealNextOfMerge();
  }

  /**
   * Tells the packer the time. If the policy has an idle time, seals the hours that got no point
   * for that long.
   *
   * @param ms now, milliseconds since 1970
   */
  public void passTime(long ms) throws IOException, InterruptedException {
    nowSeconds = ms / 1000;
    table.setNow((int) nowSeconds);
    if (policy.visibleSeconds() > 0 && nowSeconds >= nextPublishSeconds) {
      publish();
    }
    int idle = policy.idleSeconds();
    if (idle == 0 || nowSeconds < nextIdleCheckSeconds) {
      return;
    }
    nextIdleCheckSeconds = nowSeconds + Math.max(1, idle / 10);
    for (int place = 0; place < table.places(); place++) {
      for (int entry = oldestAt(place); isIdle(entry); entry = oldestAt(place)) {
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

  /**
   * Stores the open hours that took points since the last time, and seals the late ones. The last
   * version of an hour holds all points of those before it, and has the same name. An hour of
   * several cells is left out, because a point may move from one to the next.
   */
  private void publish() throws IOException, InterruptedException {
    long since = publishedSeconds;
    publishedSeconds = nowSeconds;
    nextPublishSeconds = nowSeconds + Math.max(1, policy.visibleSeconds() * 5L / 6);
    long before = replacedPoints;
    for (int place = 0; place < table.places(); place++) {
      for (int entry = table.newestAt(place); entry != HourTable.NONE; entry = table.next(entry)) {
        if (table.touched(entry) >= since) {
          publish(entry);
        }
      }
    }
    // These hours stay open; their replaced points are counted when they are sealed.
    replacedPoints = before;
    if (table.lateCount() > 0 && spilled.isEmpty()) {
      sealLate();
    }
    context.awaitStored();
    visibleUntilMs = nowSeconds * 1000;
  }

  /**
   * Until when, by the times given to {@link #passTime}, all points accepted are stored, but for
   * those of hours that take several cells or were spilled; 0 if open hours are not stored.
   */
  public long visibleUntilMs() {
    return visibleUntilMs;
  }

  private void publish(int entry) throws IOException, InterruptedException {
    PointBlock block = points(entry);
    if (HourParts.count(block) == 1) {
      if (table.isPublished(entry)) {
        cells.beforeRewrite();
      }
      cells.publish(table.series(entry), table.hour(entry), block);
      table.setPublished(entry);
    }
  }

  private boolean isIdle(int entry) {
    return entry != HourTable.NONE
        && (int) nowSeconds - table.touched(entry) >= policy.idleSeconds()
        && (table.hour(entry) + 1L) * BaseTime.HOUR_SECONDS <= nowSeconds;
  }

  private int closed(int series) {
    return closed.get(series / every);
  }

  private void close(int series, int hour) {
    if (hour > closed(series)) {
      closed.set(series / every, hour);
    }
  }

  /** The open hour that takes a point; may seal another hour of its series. */
  private int entryOf(int series, int hour) throws IOException, InterruptedException {
    if (policy.sealsAtTheEnd()) {
      return table.openLate(series, hour);
    }
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

  /** The oldest of the open newest hours of the series at a place, or NONE. */
  private int oldestAt(int place) {
    int oldest = table.newestAt(place);
    for (int entry = oldest; entry != HourTable.NONE; entry = table.next(entry)) {
      if (table.hour(entry) < table.hour(oldest)) {
        oldest = entry;
      }
    }
    return oldest;
  }

  private void seal(int series, int hour, PointBlock block)
      throws IOException, InterruptedException {
    noteSealed(series, hour);
    cells.write(series, hour, block);
  }

  private void noteSealed(int series, int hour) {
    if (!policy.hoursComeOnce()) {
      close(series, hour);
      sealed.add(series, hour);
    }
  }

  /** Hours that are sealed from now on may have been sealed before, under another loader id. */
  private void beginPass() {
    cells.beginPass();
    sealed.beginPass();
  }

  private void sealNewest(int entry) throws IOException, InterruptedException {
    if (table.isPublished(entry)) {
      cells.beforeRewrite();
    }
    seal(table.series(entry), table.hour(entry), points(entry));
    table.removeNewest(entry);
  }

  private void sealAll() throws IOException, InterruptedException {
    while (sealNext()) {
      // Each call seals an hour.
    }
  }

  private void sealLate() throws IOException, InterruptedException {
    while (sealNextLate()) {
      // Each call seals an hour.
    }
  }

  /** First the newest hours of each series, then the late ones. */
  private boolean sealNextOfTable() throws IOException, InterruptedException {
    for (; nextPlace < table.places(); nextPlace++) {
      int entry = oldestAt(nextPlace);
      if (entry != HourTable.NONE) {
        sealNewest(entry);
        return true;
      }
    }
    boolean sealedOne = sealNextLate();
    if (!sealedOne) {
      nextPlace = 0;
    }
    return sealedOne;
  }

  private boolean sealNextLate() throws IOException, InterruptedException {
    if (lateKeys.length == 0) {
      if (table.lateCount() == 0) {
        return false;
      }
      beginPass();
      lateKeys = table.lateKeys();
    }
    int entry = table.find(lateKeys[lateSealed]);
    seal(table.series(entry), table.hour(entry), points(entry));
    lateSealed++;
    if (lateSealed == lateKeys.length) {
      table.removeLate();
      lateKeys = NO_KEYS;
      lateSealed = 0;
      cells.endPass();
    }
    return true;
  }

  private void spill() throws IOException, InterruptedException {
    spillOpen();
    if (spilled.size() >= FILES_MAX) {
      sealSpilled();
    }
  }

  /** Moves all open hours to a file. Points that still come for them are late. */
  private void spillOpen() throws IOException {
    if (!table.isEmpty()) {
      long[] keys = table.keys();
      spilled.add(save(keys));
      for (long key : keys) {
        int entry = table.find(key);
        close(table.series(entry), table.hour(entry));
      }
      table.clear();
    }
  }

  /** Writes hours to a file, and counts points that a later one of the same time replaced. */
  private HourFile save(long[] keys) throws IOException {
    try (HourWriter writer = new HourWriter(context.newHourFile())) {
      for (long key : keys) {
        int entry = table.find(key);
        PointBlock block = points(entry);
        for (int number = 0; number < HourParts.count(block); number++) {
          PointBlock part = parts.part(block, number);
          writer.write(table.series(entry), table.hour(entry), part.count(), parts.pack(part));
        }
      }
      return writer.finish();
    }
  }

  /** Merges the spilled files and seals their hours under a fresh loader id. */
  private void sealSpilled() throws IOException, InterruptedException {
    beginMerge();
    while (sealNextOfMerge()) {
      // Each call seals an hour.
    }
  }

  private void beginMerge() throws IOException {
    if (!spilled.isEmpty()) {
      beginPass();
      merge = new HourMerge(spilled);
      toSeal = merge.next();
    }
  }

  private boolean sealNextOfMerge() throws IOException, InterruptedException {
    HourMerge from = merge;
    SavedHour hour = toSeal;
    if (from == null) {
      return false;
    }
    if (hour == null) {
      endMerge(from);
      cells.endPass();
      return false;
    }
    toSeal = seal(hour, from);
    return true;
  }

  private void endMerge(HourMerge from) throws IOException {
    merge = null;
    from.close();
    for (HourFile file : spilled.subList(inCheckpoint, spilled.size())) {
      Files.deleteIfExists(file.path());
    }
    spilled.clear();
    inCheckpoint = 0;
  }

  /** Writes what is left of a merge to one file, from which the merge goes on. */
  private void saveMerge(HourMerge from) throws IOException {
    HourFile rest;
    try (HourWriter writer = new HourWriter(context.newHourFile())) {
      for (SavedHour hour = toSeal; hour != null; hour = from.next()) {
        writer.write(hour.series(), hour.hour(), hour.points(), hour.cell());
      }
      rest = writer.finish();
    }
    endMerge(from);
    spilled.add(rest);
    HourMerge next = new HourMerge(spilled);
    merge = next;
    toSeal = next.next();
  }

  /**
   * Closes what it reads; needed only where {@link #sealNext} has not been called to its end, and
   * nothing may be called after it.
   */
  @Override
  public void close() throws IOException {
    if (merge != null) {
      merge.close();
    }
  }

  /** Seals an hour from all its records; returns the first record of the next hour, or null. */
  private @Nullable SavedHour seal(SavedHour first, HourMerge from)
      throws IOException, InterruptedException {
    SavedHour next = from.next();
    if (cells.takesPacked() && (next == null || !next.isSameHour(first))) {
      sealed.add(first.series(), first.hour());
      cells.write(first);
      return next;
    }
    gathered.clear();
    gather(first);
    for (; next != null && next.isSameHour(first); next = from.next()) {
      gather(next);
    }
    seal(first.series(), first.hour(), gatheredInOrder(first.series(), first.hour()));
    return next;
  }

  private void gather(SavedHour hour) throws IOException {
    try {
      decoder.decode(hour.cell(), decoded);
    } catch (MalformedCellException e) {
      throw new IOException("a record of an open hour is damaged: " + e.getMessage(), e);
    }
    gathered.take(decoded);
  }

  /** The points of an open hour in order; of equal times only the last, the others are counted. */
  private PointBlock points(int entry) {
    gathered.clear();
    table.copy(entry, gathered);
    return gatheredInOrder(table.series(entry), table.hour(entry));
  }

  private PointBlock gatheredInOrder(int series, int hour) {
    PointBlock block = gathered.merged();
    long replaced = gathered.taken() - block.count();
    replacedPoints += replaced;
    if (replaced > 0 && firstReplaced == null) {
      long timeMs = (long) hour * PointBlock.HOUR_MS + gathered.repeatedOffsetMs();
      firstReplaced = new RepeatedTime(series, timeMs);
    }
    return block;
  }

  /** Saves all open hours for a checkpoint. They stay open; spilled files are not written again. */
  public Saved saveOpen() throws IOException {
    if (merge != null) {
      saveMerge(merge);
    }
    List<HourFile> files = new ArrayList<>(spilled);
    inCheckpoint = spilled.size();
    long before = replacedPoints;
    if (!table.isEmpty()) {
      files.add(save(lateKeys.length == 0 ? table.keys() : lateLeft()));
    }
    long replaced = replacedPoints - before;
    // These hours stay open; their replaced points are counted when they are sealed.
    replacedPoints = before;
    return new Saved(files, replaced);
  }

  /** Where late hours are being sealed, they are all that is open. */
  private long[] lateLeft() {
    return Arrays.copyOfRange(lateKeys, lateSealed, lateKeys.length);
  }

  /** Points in cells written to the sink. */
  public long packedPoints() {
    return cells.points();
  }

  /** Points replaced by a later one of the same series and time before their hour was sealed. */
  public long replacedPoints() {
    return replacedPoints;
  }

  /** The first of {@link #replacedPoints} that was met, if there is one. Any thread. */
  public Optional<RepeatedTime> firstReplaced() {
    return Optional.ofNullable(firstReplaced);
  }

  /** Hours that were sealed more than once, perhaps; when all is sealed. */
  public SealedAgain sealedAgain() {
    return new SealedAgain(sealed.again(), sealed.complete());
  }

  /** Cells of open hours written to the sink beside those of {@link #cells}. */
  public long publishedCells() {
    return cells.published();
  }

  /** Cells written to the sink. */
  public long cells() {
    return cells.count();
  }

  /** Bytes of those cells: row keys, qualifiers and values. */
  public long cellBytes() {
    return cells.bytes();
  }

  /** Bytes of the values of those cells. */
  public long valueBytes() {
    return cells.valueBytes();
  }
}
