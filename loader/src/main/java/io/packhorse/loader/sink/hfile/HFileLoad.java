package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.SeriesRecorder;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A load by HFiles: every thread writes cells through its own sink, then the threads together merge
 * sorted runs into HFiles and bulk-load them.
 *
 * <p>Nothing is visible before every file is written; then regions become visible one by one. A
 * load that dies before leaves only its folder, which the next load removes, unless it is staged.
 *
 * <p>Opened, staged and closed by one thread; the sinks' threads do the rest.
 */
public final class HFileLoad implements Closeable {
  private final Connection connection;
  private final Configuration conf;
  private final HFileTarget target;
  private final TableName table;
  private final ColumnFamilyDescriptor family;
  private final FileSystem files;
  private final Path sortFolder;
  private final RegionRanges regions;
  private final List<String> notes;
  private final CallLog log;

  private final List<HFileSink> sinks = new ArrayList<>();
  private final Map<Integer, List<RegionFile>> written = new TreeMap<>();
  private final Queue<Integer> toMerge = new ConcurrentLinkedQueue<>();
  private final Queue<List<RegionFile>> toLoad = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
  private final AtomicBoolean cellsComplete = new AtomicBoolean();
  private final AtomicLong repeatedPoints = new AtomicLong();
  private final AtomicReference<RepeatedPoints.@Nullable Place> firstRepeated =
      new AtomicReference<>();
  private Optional<Staging> staging = Optional.empty();
  private volatile SeriesRecorder series = SeriesRecorder.NONE;
  private boolean stagedNeeded = true;
  private volatile LoadDirectory folder;
  private @Nullable CyclicBarrier steps;
  private int fileNumber;

  private HFileLoad(
      Connection connection,
      Configuration conf,
      HFileTarget target,
      ColumnFamilyDescriptor family,
      FileSystem files,
      LoadDirectory folder,
      RegionRanges regions,
      List<String> notes,
      CallLog log) {
    this.log = log;
    this.connection = connection;
    this.conf = conf;
    this.target = target;
    this.table = TableName.valueOf(target.table());
    this.family = family;
    this.files = files;
    this.folder = folder;
    this.sortFolder = new Path(new Path(target.sortFolder().toUri()), folder.path().getName());
    this.regions = regions;
    this.notes = notes;
  }

  /**
   * Reads the table's regions and makes the load's folder; removes folders of loads that died.
   *
   * @param connection stays the caller's
   * @param log records what is written, and each bulk load of a region as a call
   * @throws IOException if the table or its file system cannot be used; nothing is written then
   */
  public static HFileLoad open(Connection connection, HFileTarget target, CallLog log)
      throws IOException {
    Configuration conf = configuration(connection);
    TableName table = TableName.valueOf(target.table());
    ColumnFamilyDescriptor family = family(connection, target);
    Path parent = parent(conf, target);
    FileSystem files = fileSystem(conf, parent);
    List<String> notes = new ArrayList<>(LoadDirectory.clean(files, parent));
    Path sortParent = new Path(target.sortFolder().toUri());
    if (!sortParent.equals(parent)) {
      notes.addAll(LoadDirectory.clean(sortParent.getFileSystem(conf), sortParent));
    }
    LoadDirectory folder = LoadDirectory.create(files, parent);
    folder.makeFamily(target.family());
    return new HFileLoad(
        connection,
        conf,
        target,
        family,
        files,
        folder,
        currentRegions(connection, table),
        List.copyOf(notes),
        log);
  }

  static Configuration configuration(Connection connection) {
    Configuration conf = new Configuration(connection.getConfiguration());
    // Hadoop's default local file system would add a checksum file to each file.
    conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    // Each thread that writes into a region makes a file; HBase's default limit is 32.
    conf.setInt(BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY, Integer.MAX_VALUE);
    return conf;
  }

  static ColumnFamilyDescriptor family(Connection connection, HFileTarget target)
      throws IOException {
    TableName table = TableName.valueOf(target.table());
    try (Table described = connection.getTable(table)) {
      ColumnFamilyDescriptor family =
          described.getDescriptor().getColumnFamily(Bytes.toBytes(target.family()));
      if (family == null) {
        throw new IOException("table " + table + " has no family " + target.family());
      }
      return family;
    }
  }

  static Path parent(Configuration conf, HFileTarget target) throws IOException {
    Path parent = target.folder().map(Path::new).orElseGet(() -> folderOfCluster(conf));
    if (parent.toUri().getScheme() == null) {
      throw new IOException(
          "HFiles must be written on HBase's file system, which is not known: give the cluster's"
              + " hbase-site.xml, which sets hbase.rootdir, with --hbase-conf");
    }
    return parent;
  }

  static FileSystem fileSystem(Configuration conf, Path parent) throws IOException {
    try {
      return parent.getFileSystem(conf);
    } catch (IOException e) {
      throw StepFailure.of("cannot reach the file system of " + parent, e);
    }
  }

  /**
   * Stages the files once all of them are written. Called before the first sink is flushed; files
   * that an earlier run of the same job has staged to bulk-load them itself are removed.
   */
  public void stage(Staging how) throws IOException {
    if (how.bulkLoad()) {
      files.delete(new Path(folder.path().getParent(), how.folder()), true);
    }
    staging = Optional.of(how);
  }

  /**
   * Has the series of the load recorded before files are bulk-loaded. Called before the first sink
   * is flushed.
   */
  public void recordSeries(SeriesRecorder recorder) {
    series = recorder;
  }

  private boolean bulkLoads() {
    return staging.map(Staging::bulkLoad).orElse(true);
  }

  /** Without a scheme if hbase.rootdir is not set: its default is a local folder. */
  private static Path folderOfCluster(Configuration conf) {
    Path root = new Path(conf.get(HConstants.HBASE_DIR, ""));
    Path folder = new Path(conf.get("hbase.fs.tmp.dir", "/tmp/hbase-staging"), "packhorse");
    String scheme = root.toUri().getScheme();
    return scheme == null || scheme.equals("file")
        ? folder
        : folder.makeQualified(root.toUri(), new Path("/"));
  }

  static RegionRanges currentRegions(Connection connection, TableName table) throws IOException {
    return new RegionRanges(startKeys(connection, table));
  }

  static byte[][] startKeys(Connection connection, TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getStartKeys();
    }
  }

  /** What was found of earlier loads and done about it, one sentence each. */
  public List<String> notes() {
    return notes;
  }

  /** Adds a sink. All sinks must be opened before the first flush, and each must be flushed. */
  public synchronized CellSink openSink() {
    SortedRuns runs =
        new SortedRuns(
            java.nio.file.Path.of(sortFolder.toUri()),
            "cells-" + sinks.size(),
            regions,
            target.sortBytesMax() / target.threads());
    HFileSink sink = new HFileSink(this, runs);
    sinks.add(sink);
    return sink;
  }

  boolean inRowOrder() {
    return target.inRowOrder();
  }

  RegionRanges regions() {
    return regions;
  }

  HFileWriter newWriter(int region, CellWrite first) throws IOException {
    try {
      return new HFileWriter(
          conf, files, folder.file(target.family(), region, nextFile()), table, family, first);
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  private synchronized int nextFile() {
    return fileNumber++;
  }

  void append(HFileWriter writer, CellWrite cell) throws IOException {
    try {
      writer.append(cell);
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  /** Completes a file. */
  void finish(int region, HFileWriter writer) throws IOException {
    RegionFile file;
    try {
      file = writer.finish();
      if (!bulkLoads()) {
        file = file.withCrc32c(FileChecksum.of(files, file.path()));
      }
      folder.openToServers(file.path());
    } catch (IOException e) {
      throw notWritten(e);
    }
    log.wrote(regions.name(region), writer.cells(), file.points(), file.bytes());
    synchronized (written) {
      written.computeIfAbsent(region, none -> new ArrayList<>()).add(file);
    }
  }

  private IOException notWritten(IOException e) {
    return StepFailure.of("HFiles cannot be written to " + folder.path(), e);
  }

  /**
   * Called by each sink's thread at its end: waits for all sinks, then merges, stages and
   * bulk-loads together with the other threads.
   *
   * @param acknowledged adds the points of the regions that the calling thread has bulk-loaded, or
   *     staged if they are not bulk-loaded now
   */
  void finishTogether(AtomicLong acknowledged) throws IOException, InterruptedException {
    CyclicBarrier barrier = steps();
    inStep(barrier);
    if (staging.isPresent() && !cellsComplete.getAndSet(true)) {
      staging.get().job().cellsComplete();
    }
    for (Integer region = toMerge.poll(); region != null; region = toMerge.poll()) {
      merge(region);
    }
    inStep(barrier);
    for (List<RegionFile> region = toLoad.poll(); region != null; region = toLoad.poll()) {
      acknowledged.addAndGet(
          bulkLoads() ? bulkLoad(region) : region.stream().mapToLong(RegionFile::points).sum());
    }
    inStep(barrier);
  }

  private long bulkLoad(List<RegionFile> region) throws IOException, InterruptedException {
    series.record();
    long begun = log.begun();
    try {
      return new BulkLoad(connection, BulkLoadHFiles.create(conf), files, table, family)
          .run(region);
    } finally {
      log.ended(begun, regions.name(regions.regionOf(region.get(0).firstRow())));
    }
  }

  private synchronized CyclicBarrier steps() {
    CyclicBarrier barrier = steps;
    if (barrier == null) {
      barrier = new CyclicBarrier(sinks.size(), new Steps());
      steps = barrier;
    }
    return barrier;
  }

  private void inStep(CyclicBarrier barrier) throws IOException, InterruptedException {
    try {
      barrier.await();
    } catch (BrokenBarrierException e) {
      throw new InterruptedException("another thread of the load failed");
    }
    IOException failed = failure.get();
    if (failed != null) {
      throw new IOException(failed.getMessage(), failed);
    }
  }

  /** Runs between two steps, on the thread that arrives last. */
  private final class Steps implements Runnable {
    private int step;

    @Override
    public void run() {
      try {
        switch (step++) {
          case 0 -> planMerge();
          case 1 -> stageAndPlanLoad();
          default -> {} // all files are bulk-loaded or staged
        }
      } catch (IOException e) {
        failure.compareAndSet(null, e);
      }
    }
  }

  private void planMerge() {
    for (int region = 0; region < regions.count(); region++) {
      int wanted = region;
      if (sinks.stream().anyMatch(sink -> !sink.runs().isEmpty(wanted))) {
        toMerge.add(region);
      }
    }
  }

  private void merge(int region) throws IOException {
    List<SortedRuns.Cells> runs = new ArrayList<>();
    for (HFileSink sink : sinks) {
      runs.addAll(sink.runs().open(region));
    }
    RepeatedPoints repeated = new RepeatedPoints();
    try (MergedCells cells = new MergedCells(runs)) {
      CellWrite cell = Objects.requireNonNull(cells.next());
      try (HFileWriter writer = newWriter(region, cell)) {
        for (; cell != null; cell = cells.next()) {
          append(writer, cell);
          writer.countReplaced(cells.replacedPoints());
          repeatedPoints.addAndGet(cells.replacedPoints());
          if (cell.points() > 0) {
            repeated.add(cell);
          }
        }
        repeatedPoints.addAndGet(repeated.count());
        firstRepeated.compareAndSet(null, repeated.first());
        finish(region, writer);
      }
    }
  }

  /**
   * Number of points with the series and time of another point; valid once all files are written.
   */
  public long repeatedPoints() {
    return repeatedPoints.get();
  }

  /** Row and time of a repeated point; empty if no point is repeated. */
  public Optional<RepeatedPoints.Place> firstRepeated() {
    return Optional.ofNullable(firstRepeated.get());
  }

  private void stageAndPlanLoad() throws IOException {
    if (staging.isPresent()) {
      folder =
          folder.stage(staging.get(), written.values().stream().flatMap(List::stream).toList());
    }
    for (List<RegionFile> ofRegion : written.values()) {
      toLoad.add(ofRegion.stream().map(file -> file.in(folder.path())).toList());
    }
  }

  /**
   * Has {@link #close} remove staged files too: the job's ledger says that all are bulk-loaded, so
   * nobody will need them to resume it.
   */
  public void releaseStaged() {
    stagedNeeded = false;
  }

  /**
   * Removes the load's folders with the files that are not bulk-loaded. Staged files stay, unless
   * {@link #releaseStaged} was called.
   */
  @Override
  public void close() throws IOException {
    try {
      boolean staged =
          staging.map(how -> folder.path().getName().equals(how.folder())).orElse(false);
      if (!staged || !stagedNeeded) {
        folder.close();
      }
    } finally {
      sortFolder.getFileSystem(conf).delete(sortFolder, true);
    }
  }
}
