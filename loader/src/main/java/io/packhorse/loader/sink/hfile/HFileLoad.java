package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
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
import org.apache.hadoop.fs.FSDataOutputStream;
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
 * An offline load: every thread writes HFiles through a sink of its own, then all of them together
 * merge what had to be sorted and hand the files to HBase.
 *
 * <p>Nothing is visible before every file is written; then regions become visible one by one. A
 * load that dies before leaves its folder only, which the next one removes, unless it was kept.
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
  private final AtomicBoolean prepared = new AtomicBoolean();
  private Optional<Keeping> keeping = Optional.empty();
  private volatile JobFolder folder;
  private @Nullable CyclicBarrier steps;
  private int fileNumber;

  private HFileLoad(
      Connection connection,
      Configuration conf,
      HFileTarget target,
      ColumnFamilyDescriptor family,
      FileSystem files,
      JobFolder folder,
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
   * Looks at the table and makes the load's folder, removing those of dead loads.
   *
   * @param connection stays the caller's
   * @param log told what is written, and of the hand-over of each region
   * @throws IOException if the table or its file system cannot be used; nothing is written yet
   */
  public static HFileLoad open(Connection connection, HFileTarget target, CallLog log)
      throws IOException {
    Configuration conf = configuration(connection);
    TableName table = TableName.valueOf(target.table());
    ColumnFamilyDescriptor family = family(connection, target);
    Path parent = parent(conf, target);
    FileSystem files = fileSystem(conf, parent);
    List<String> notes = new ArrayList<>(JobFolder.clean(files, parent));
    Path sortParent = new Path(target.sortFolder().toUri());
    if (!sortParent.equals(parent)) {
      notes.addAll(JobFolder.clean(sortParent.getFileSystem(conf), sortParent));
    }
    JobFolder folder = JobFolder.create(files, parent);
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
    // Bare files: the local file system that Hadoop takes by default adds one of checksums to each.
    conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    // A file a thread that writes into the region; HBase's loader refuses more than 32.
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
          "HFiles must lie on the file system of HBase, which is not known: name the cluster's"
              + " hbase-site.xml, with hbase.rootdir, in --hbase-conf");
    }
    return parent;
  }

  static FileSystem fileSystem(Configuration conf, Path parent) throws IOException {
    try {
      return parent.getFileSystem(conf);
    } catch (IOException e) {
      throw FailedStep.of("cannot reach the file system of " + parent, e);
    }
  }

  /**
   * Keeps the files once all of them are written, so that they outlive this process, as {@link
   * KeptFiles}. Before the first sink is flushed; what was kept in the folder's place is removed if
   * it was to be handed over by such a load.
   */
  public void keep(Keeping how) throws IOException {
    if (how.handedOver()) {
      files.delete(new Path(folder.path().getParent(), how.name()), true);
    }
    keeping = Optional.of(how);
  }

  /** How files are kept; asked on the thread of a sink. */
  public interface Keeping {
    /** Name of their folder. */
    String name();

    /** Whether they are handed over at once, too. */
    boolean handedOver();

    /** Does what need not wait for the last HFile: every cell is there, other threads merge. */
    void prepare() throws IOException;

    /** Local files that are to lie beside them; every HFile is written. */
    List<java.nio.file.Path> beside() throws IOException;

    /** Told that all is kept, before the first file is handed over. */
    void kept() throws IOException;

    /** Whether it is on record that all is handed over; the folder is not needed any more then. */
    boolean isFinished();
  }

  private boolean handsOver() {
    return keeping.map(Keeping::handedOver).orElse(true);
  }

  /** Without a scheme where the configuration does not say: by default it names a local folder. */
  private static Path folderOfCluster(Configuration conf) {
    Path root = new Path(conf.get(HConstants.HBASE_DIR, ""));
    Path folder = new Path(conf.get("hbase.fs.tmp.dir", "/tmp/hbase-staging"), "packhorse");
    String scheme = root.toUri().getScheme();
    return scheme == null || scheme.equals("file")
        ? folder
        : folder.makeQualified(root.toUri(), new Path("/"));
  }

  static RegionRanges currentRegions(Connection connection, TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return new RegionRanges(locator.getStartKeys());
    }
  }

  /** What was found of earlier loads, one sentence each. */
  public List<String> notes() {
    return notes;
  }

  /** Adds a sink; all are opened before the first one is flushed, and every one is flushed. */
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

  /** Completes a file and keeps it for the bulk load. */
  void finish(int region, HFileWriter writer) throws IOException {
    RegionFile file;
    try {
      file = writer.finish();
      if (!handsOver()) {
        file = file.withCrc32c(FileChecksum.of(files, file.path()));
      }
      folder.release(file.path());
    } catch (IOException e) {
      throw notWritten(e);
    }
    log.wrote(regions.name(region), writer.cells(), file.points(), file.bytes());
    synchronized (written) {
      written.computeIfAbsent(region, none -> new ArrayList<>()).add(file);
    }
  }

  private IOException notWritten(IOException e) {
    return FailedStep.of("HFiles cannot be written to " + folder.path(), e);
  }

  /**
   * The common end of all sinks, each on its own thread: waits for all, merges, loads.
   *
   * @param acknowledged counts the points of regions that the calling thread has loaded
   */
  void complete(AtomicLong acknowledged) throws IOException, InterruptedException {
    CyclicBarrier barrier = steps();
    inStep(barrier);
    if (keeping.isPresent() && !prepared.getAndSet(true)) {
      keeping.get().prepare();
    }
    for (Integer region = toMerge.poll(); region != null; region = toMerge.poll()) {
      merge(region);
    }
    inStep(barrier);
    for (List<RegionFile> region = toLoad.poll(); region != null; region = toLoad.poll()) {
      acknowledged.addAndGet(
          handsOver() ? handOver(region) : region.stream().mapToLong(RegionFile::points).sum());
    }
    inStep(barrier);
  }

  private long handOver(List<RegionFile> region) throws IOException {
    long begun = log.begun();
    try {
      return new RegionLoad(connection, conf, files, table, family).run(region);
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
      throw new InterruptedException("another thread of the load has failed");
    }
    IOException failed = failure.get();
    if (failed != null) {
      throw new IOException(failed.getMessage(), failed);
    }
  }

  /** What is done between two steps by the last thread to arrive. */
  private final class Steps implements Runnable {
    private int step;

    @Override
    public void run() {
      try {
        switch (step++) {
          case 0 -> planMerge();
          case 1 -> planLoad();
          default -> {} // all are handed over
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
    List<SortedRuns.Cells> pieces = new ArrayList<>();
    for (HFileSink sink : sinks) {
      pieces.addAll(sink.runs().open(region));
    }
    try (MergedCells cells = new MergedCells(pieces)) {
      CellWrite cell = Objects.requireNonNull(cells.next());
      try (HFileWriter writer = newWriter(region, cell)) {
        for (; cell != null; cell = cells.next()) {
          append(writer, cell);
          writer.countReplaced(cells.replacedPoints());
        }
        finish(region, writer);
      }
    }
  }

  private void planLoad() throws IOException {
    if (keeping.isPresent()) {
      Keeping how = keeping.get();
      FileList.write(
          files, folder.path(), written.values().stream().flatMap(List::stream).toList());
      for (java.nio.file.Path beside : how.beside()) {
        put(beside);
      }
      folder = folder.keepAs(how.name());
      how.kept();
    }
    for (List<RegionFile> ofRegion : written.values()) {
      toLoad.add(ofRegion.stream().map(file -> file.in(folder.path())).toList());
    }
  }

  private void put(java.nio.file.Path beside) throws IOException {
    Path path = new Path(folder.path(), String.valueOf(beside.getFileName()));
    try (FSDataOutputStream out = files.create(path)) {
      long unused = Files.copy(beside, out);
      out.hsync();
    }
  }

  /**
   * Removes the load's folders, and with them what was not handed over; but the folder of files
   * that were kept stays until it is on record that all of them are.
   */
  @Override
  public void close() throws IOException {
    try {
      boolean kept = keeping.map(how -> folder.path().getName().equals(how.name())).orElse(false);
      if (!kept || keeping.map(Keeping::isFinished).orElse(false)) {
        folder.close();
      }
    } finally {
      sortFolder.getFileSystem(conf).delete(sortFolder, true);
    }
  }
}
