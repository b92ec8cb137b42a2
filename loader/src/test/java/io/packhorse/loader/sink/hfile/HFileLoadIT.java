package io.packhorse.loader.sink.hfile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.sink.CallLog;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Offline loads into a real HBase, each test into a table of its own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HFileLoadIT {
  @TempDir private Path temporary = Path.of("");
  private final CallLog log = new CallLog();

  @SuppressWarnings("NullAway.Init")
  private EmbeddedServer server;

  @SuppressWarnings("NullAway.Init")
  private Cluster cluster;

  @BeforeEach
  void connect() throws Exception {
    server = EmbeddedStoreFixture.shared();
    cluster = Cluster.connect(server.zookeeperQuorum(), null);
  }

  @AfterEach
  void disconnect() throws Exception {
    cluster.close();
  }

  @Test
  void cellsInAnyOrderOfSeveralThreadsBecomeOneFileARegion() throws Exception {
    makeTable("hfiles-any");
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    try (HFileLoad load = open("hfiles-any", 2, false)) {
      List<CellSink> sinks = List.of(load.openSink(), load.openSink());
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 3000; i++) {
        int series = random.nextInt(100);
        CellWrite cell = cell(random.nextInt(6), series, random);
        model.remove(cell);
        model.put(cell, cell);
        sinks.get(series % 2).write(cell);
      }
      try (Stream<Path> runs = Files.walk(temporary)) {
        assertTrue(runs.filter(Files::isRegularFile).count() > 2, "cells were spilled");
      }
      assertEquals(3000 * 7, flush(sinks));
      sinks.get(0).close();
      sinks.get(1).close();
    }
    assertEquals(3, log.regions().size());
    log.regions()
        .values()
        .forEach(share -> assertEquals(1, share.calls(), "bulk-loaded in one call"));
    assertEquals(3000 * 7, log.regions().values().stream().mapToLong(CallLog.Share::points).sum());
    assertEquals(
        model.size(), log.regions().values().stream().mapToLong(CallLog.Share::cells).sum());
    assertStored("hfiles-any", model);
    try (Stream<Path> runs = Files.list(temporary)) {
      assertEquals(0, runs.count(), "runs are gone with the load");
    }
    assertEquals(3, storeFiles("hfiles-any").size(), "one for each region");
    assertNoFilesLeft();
  }

  @Test
  void cellsInRowOrderAreWrittenAtOnceAndTheFileIsMovedNotCopied() throws Exception {
    makeTable("hfiles-order");
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    SplittableRandom random = new SplittableRandom(2);
    List<Object> inodes = new ArrayList<>();
    try (HFileLoad load = open("hfiles-order", 1, true)) {
      CellSink sink = load.openSink();
      for (int row = 0; row < 600; row++) {
        CellWrite cell = cell(row / 100, row % 100, random);
        model.put(cell, cell);
        sink.write(cell);
      }
      try (Stream<Path> written = Files.walk(server.store().hfiles())) {
        for (Path file : written.filter(Files::isRegularFile).toList()) {
          inodes.add(Files.getAttribute(file, "unix:ino"));
        }
      }
      assertEquals(0, sink.acknowledgedPoints(), "nothing is loaded yet");
      assertEquals(600 * 7, flush(List.of(sink)));
      sink.close();
    }
    assertEquals(3, inodes.size());
    assertStored("hfiles-order", model);
    for (Path file : storeFiles("hfiles-order")) {
      assertTrue(inodes.remove(Files.getAttribute(file, "unix:ino")), file + " is a copy");
    }
    assertNoFilesLeft();
  }

  @Test
  void aBrokenPromiseOfOrderMakesFurtherFiles() throws Exception {
    makeTable("hfiles-broken");
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    SplittableRandom random = new SplittableRandom(3);
    try (HFileLoad load = open("hfiles-broken", 1, true)) {
      CellSink sink = load.openSink();
      for (int row = 99; row >= 0; row--) {
        CellWrite cell = cell(0, row, random);
        model.put(cell, cell);
        sink.write(cell);
      }
      assertEquals(100 * 7, flush(List.of(sink)));
      sink.close();
    }
    assertStored("hfiles-broken", model);
    assertEquals(2, storeFiles("hfiles-broken").size());
  }

  @Test
  void aRegionTakesTheFilesOfManyThreads() throws Exception {
    makeTable("hfiles-many", new byte[] {60});
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    SplittableRandom random = new SplittableRandom(5);
    List<CellSink> sinks = new ArrayList<>();
    try (HFileLoad load = open("hfiles-many", 40, true)) {
      for (int thread = 0; thread < 40; thread++) {
        sinks.add(load.openSink());
        CellWrite cell = cell(thread, 0, random);
        model.put(cell, cell);
        sinks.get(thread).write(cell);
      }
      assertEquals(40 * 7, flush(sinks));
      for (CellSink sink : sinks) {
        sink.close();
      }
    }
    assertStored("hfiles-many", model);
    assertNoFilesLeft();
  }

  @Test
  void filesOfRegionsThatHaveChangedAreSplit() throws Exception {
    makeTable("hfiles-split");
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    try (HFileLoad load = open("hfiles-split", 1, true);
        Admin admin = cluster.connection().getAdmin()) {
      CellSink sink = load.openSink();
      write(600, sink, model);
      TableName table = TableName.valueOf("hfiles-split");
      admin.disableTable(table);
      admin.deleteTable(table);
      makeTable("hfiles-split", new byte[] {1}, new byte[] {3, 0, 50});
      assertEquals(600 * 7, flush(List.of(sink)));
      sink.close();
    }
    assertStored("hfiles-split", model);
    assertNoFilesLeft();
  }

  @Test
  void stagedFilesAreBulkLoadedLaterAndSomeMayBeAlready() throws Exception {
    for (int loaded = 0; loaded <= 3; loaded++) {
      String name = "hfiles-left" + loaded;
      makeTable(name);
      TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
      HFileLoad load = open(name, 1, true);
      CellSink sink = load.openSink();
      load.stage(
          new Staging(
              "staged",
              true,
              new Notes() {
                @Override
                public void staged() throws IOException {
                  throw new IOException("dies");
                }
              }));
      write(600, sink, model);
      assertThrows(ExecutionException.class, () -> flush(List.of(sink)));
      sink.close();
      load.close();
      Path folder = server.store().hfiles().resolve("staged");
      HFileTarget target = target(name, server.store().hfiles().toUri(), 1, true);
      Path aside = temporary.resolve("aside" + loaded);
      Files.createDirectories(aside);
      List<Path> files;
      try (Stream<Path> found = Files.list(folder.resolve("p"))) {
        files = found.sorted().toList();
      }
      assertEquals(3, files.size());
      for (Path file : files.subList(loaded, 3)) {
        Files.move(file, aside.resolve(file.getFileName()));
      }
      StagedHFiles left = StagedHFiles.named(cluster.connection(), target, "staged");
      // The rest is missing and not in the table: that must not pass for loaded.
      assertEquals(3 - loaded, left.problems().size());
      if (loaded < 3) {
        assertThrows(IOException.class, left::bulkLoad);
      }
      for (Path file : files.subList(loaded, 3)) {
        Files.move(aside.resolve(file.getFileName()), file);
      }
      assertEquals(List.of(), left.problems());
      assertEquals(600 * 7, left.bulkLoad());
      assertStored(name, model);
      assertEquals(List.of(), left.problems());
      assertEquals(600 * 7, left.bulkLoad());
      left.delete();
      assertNoFilesLeft();
      assertFalse(left.exist());
    }
  }

  @Test
  void stagedFilesAreCheckedBeforeTheyAreBulkLoaded() throws Exception {
    makeTable("hfiles-staged");
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    Path stage = stage("hfiles-staged", model);
    assertThrows(ExecutionException.class, () -> stage("hfiles-staged", new TreeMap<>(model)));
    StagedHFiles staged = staged("hfiles-staged", stage.toUri());
    assertEquals(0, storeFiles("hfiles-staged").size(), "nothing is bulk-loaded");
    assertTrue(staged.onTableFileSystem());
    assertEquals(List.of(), staged.problems());
    Path copied = temporary.resolve("copied");
    staged.fetch("note", copied);
    assertEquals("beside", Files.readString(copied));

    Path file = stage.resolve("p/region-1-1");
    byte[] good = Files.readAllBytes(file);
    byte[] damaged = good.clone();
    damaged[good.length / 2] ^= 1;
    assertProblem(staged, file, damaged, "checksum");
    assertProblem(staged, file, Arrays.copyOf(good, good.length - 1), "bytes");
    Files.delete(file);
    assertTrue(staged.problems().get(0).contains("missing"));
    Files.write(file, good);
    Files.createFile(stage.resolve("p/region-1-2"));
    assertTrue(staged.problems().get(0).contains("not on the list"));
    Files.delete(stage.resolve("p/region-1-2"));
    Path list = stage.resolve(FileList.NAME);
    byte[] listed = Files.readAllBytes(list);
    Files.write(list, Arrays.copyOf(listed, listed.length - 1));
    assertThrows(IOException.class, staged::problems);
    Files.write(list, listed);

    assertEquals(List.of(), staged.problems());
    assertEquals(0, staged.filesToSplit());
    assertEquals(600 * 7, staged.bulkLoad());
    assertStored("hfiles-staged", model);
  }

  private static void assertProblem(StagedHFiles staged, Path file, byte[] content, String problem)
      throws IOException {
    byte[] before = Files.readAllBytes(file);
    Files.write(file, content);
    List<String> problems = staged.problems();
    assertEquals(1, problems.size(), problems.toString());
    assertTrue(problems.get(0).contains(problem), problems.toString());
    Files.write(file, before);
  }

  @Test
  void filesOfAnotherFileSystemAreCopiedAndMayFitOtherRegionsByThen() throws Exception {
    makeTable("hfiles-carried");
    TreeMap<CellWrite, CellWrite> model = new TreeMap<>(CellOrder.INSTANCE);
    Path stage = stage("hfiles-carried", model);
    try (Admin admin = cluster.connection().getAdmin()) {
      TableName table = TableName.valueOf("hfiles-carried");
      admin.disableTable(table);
      admin.deleteTable(table);
      makeTable("hfiles-carried", new byte[] {1}, new byte[] {3, 0, 50});
    }
    cluster.connection().getConfiguration().set("fs.stick.impl", Stick.class.getName());
    StagedHFiles staged = staged("hfiles-carried", URI.create("stick://" + stage));
    assertFalse(staged.onTableFileSystem());
    assertEquals(List.of(), staged.problems());
    Path damaged = stage.resolve("p/region-1-1");
    byte[] good = Files.readAllBytes(damaged);
    Files.write(damaged, new byte[good.length]);
    assertThrows(IOException.class, () -> staged.copyToTable("carried"));
    assertNoFilesLeft();
    Files.write(damaged, good);

    StagedHFiles copy = staged.copyToTable("carried");
    assertEquals(2, copy.filesToSplit());
    assertEquals(600 * 7, copy.bulkLoad());
    assertStored("hfiles-carried", model);
    assertEquals(600 * 7, staged.copyToTable("carried").bulkLoad(), "nothing is copied twice");
    assertEquals(List.of(), staged.problems(), "the stage is as it was");
    copy.delete();
    assertNoFilesLeft();
  }

  /** Local files under another name. */
  public static final class Stick extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("stick:///");
    }
  }

  /** Writes 600 cells to a stage. */
  private Path stage(String table, Map<CellWrite, CellWrite> model) throws Exception {
    HFileTarget target = target(table, temporary.toUri(), 1, true);
    try (HFileLoad load = HFileLoad.open(cluster.connection(), target, log)) {
      CellSink sink = load.openSink();
      load.stage(new Staging("staged", false, new Notes()));
      write(600, sink, model);
      assertEquals(600 * 7, flush(List.of(sink)));
      sink.close();
    }
    return temporary.resolve("staged");
  }

  private StagedHFiles staged(String table, URI stage) throws IOException {
    HFileTarget target = target(table, server.store().hfiles().toUri(), 1, true);
    return StagedHFiles.in(cluster.connection(), target, stage);
  }

  /** Steps of a job that describes its files in a note. */
  private class Notes implements Staging.Steps {
    private final AtomicInteger completed = new AtomicInteger();

    @Override
    public void cellsComplete() {
      completed.incrementAndGet();
    }

    @Override
    public List<Path> describe() throws IOException {
      assertEquals(1, completed.get());
      return List.of(Files.writeString(temporary.resolve("note"), "beside"));
    }

    @Override
    public void staged() throws IOException {}
  }

  private static void write(int rows, CellSink sink, Map<CellWrite, CellWrite> model)
      throws Exception {
    SplittableRandom random = new SplittableRandom(4);
    for (int row = 0; row < rows; row++) {
      CellWrite cell = cell(row / 100, row % 100, random);
      model.put(cell, cell);
      sink.write(cell);
    }
  }

  @Test
  void refusesAFolderThatCannotBeMade() throws Exception {
    makeTable("hfiles-folder");
    Path taken = Files.createFile(temporary.resolve("taken"));
    HFileTarget target = target("hfiles-folder", taken.toUri(), 1, true);
    IOException e =
        assertThrows(IOException.class, () -> HFileLoad.open(cluster.connection(), target, log));
    assertTrue(String.valueOf(e.getMessage()).contains(taken.toString()), e.getMessage());
  }

  private HFileLoad open(String table, int threads, boolean inRowOrder) throws IOException {
    return HFileLoad.open(
        cluster.connection(),
        target(table, server.store().hfiles().toUri(), threads, inRowOrder),
        log);
  }

  private HFileTarget target(String table, URI folder, int threads, boolean inRowOrder) {
    return new HFileTarget(table, "p", Optional.of(folder), temporary, 20_000, threads, inRowOrder);
  }

  /** Flushes each sink on a thread of its own, as the pipeline does; the points acknowledged. */
  private static long flush(List<CellSink> sinks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(sinks.size());
    try {
      List<Future<Long>> flushed = new ArrayList<>();
      for (CellSink sink : sinks) {
        flushed.add(
            threads.submit(
                () -> {
                  sink.flush();
                  return sink.acknowledgedPoints();
                }));
      }
      long points = 0;
      for (Future<Long> each : flushed) {
        points += each.get();
      }
      return points;
    } finally {
      threads.shutdownNow();
    }
  }

  private static CellWrite cell(int prefix, int series, SplittableRandom random) {
    byte[] value = new byte[random.nextInt(1, 200)];
    random.nextBytes(value);
    return new CellWrite(
        new byte[] {(byte) prefix, 0, (byte) series},
        CellForm.PACKED,
        new byte[] {(byte) 0xa0, 0, 0, 1, 0},
        value,
        7,
        1_000_000);
  }

  private void makeTable(String name) throws IOException {
    makeTable(name, new byte[] {2}, new byte[] {4});
  }

  private void makeTable(String name, byte[]... splits) throws IOException {
    new HBaseTables(cluster.connection())
        .createMissing(
            List.of(
                new TableSpec(name, List.of(new FamilySpec("p")), List.of(splits), false, false)));
  }

  private void assertStored(String table, Map<CellWrite, CellWrite> model) throws IOException {
    List<Cell> found = new ArrayList<>();
    try (Table from = cluster.connection().getTable(TableName.valueOf(table));
        ResultScanner rows = from.getScanner(new Scan())) {
      for (Result row : rows) {
        found.addAll(row.listCells());
      }
    }
    assertEquals(model.size(), found.size());
    int at = 0;
    for (CellWrite expected : model.values()) {
      Cell cell = found.get(at++);
      assertArrayEquals(expected.rowKey(), CellUtil.cloneRow(cell));
      assertArrayEquals(expected.qualifier(), CellUtil.cloneQualifier(cell));
      assertArrayEquals(expected.value(), CellUtil.cloneValue(cell));
      assertEquals(expected.stampMs(), cell.getTimestamp());
    }
  }

  private List<Path> storeFiles(String table) throws IOException {
    Path folder = server.store().hbase().resolve("data/default").resolve(table);
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().contains("/p/"))
          .toList();
    }
  }

  private void assertNoFilesLeft() throws IOException {
    try (Stream<Path> left = Files.list(server.store().hfiles())) {
      assertFalse(left.findAny().isPresent());
    }
  }
}
