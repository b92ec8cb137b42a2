package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.StoredClaim;
import io.packhorse.loader.summary.hbase.SummaryBuilder;
import io.packhorse.loader.summary.hbase.SummaryRange;
import io.packhorse.loader.summary.hbase.SummaryVerifier;
import io.packhorse.loader.summary.hbase.SummaryVerifier.Verified;
import io.packhorse.loader.uidstore.hbase.HBaseUidTable;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.summary.SummaryClaim;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After loads of every kind the summaries are those of the cells, and no claim is left. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SummaryIT {
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
  private static final Pattern JOB = Pattern.compile("job +(\\S+) in ");
  private static final long START_S = 1_704_067_200;

  /** 2024-05-01. */
  private static final long MAY_S = 1_714_521_600;

  private static final int HOURS = 24 * 60;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private EmbeddedServer server;
  private Cluster cluster;
  private String said = "";

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
  void everyKindOfLoadStoresThem() throws Exception {
    String metric = "it.summary.kinds";
    Random random = new Random(31);
    List<String> inOrder = lines(metric, random, 400);
    load("puts", inOrder);
    assertEquals(
        3 * 4, blocks(metric), "days of two months and the months, of each of four series");
    long cells = verified(metric).cells();
    assertTrue(cells > 1_000, "cells: " + cells);

    List<String> shuffled = new ArrayList<>(lines(metric, random, 300));
    Collections.shuffle(shuffled, random);
    load("puts", shuffled);
    assertTrue(verified(metric).cells() > cells, "late points are in cells of their own");
    load("hfiles", lines(metric, random, 300));
    load("hfiles", shuffled);
    String dense =
        "loadtest fill --metric %s --sensors 5 --span 3d --interval 1s".formatted(metric);
    run(ExitCode.OK, dense + " --threads 2");
    run(ExitCode.OK, dense + " --sink hfiles --threads 2");
    assertTrue(verified(metric).cells() > cells + 700);
  }

  /**
   * So many that they are written as HFiles: out of row order, in two regions and three families.
   */
  @Test
  void thoseOfManySeriesAreBulkLoaded() throws Exception {
    String metric = "it.summary.many";
    int sensors = 10_000;
    run(
        ExitCode.OK,
        ("loadtest fill --metric %s --sensors %d --start 2024-01-31T22:00:00Z --span 4h --interval 5m"
                + " --sink hfiles --threads 2")
            .formatted(metric, sensors));
    assertEquals(3 * sensors, blocks(metric), "days of two months and the months, of each series");
    assertEquals(4L * sensors, verified(metric).cells());
  }

  @Test
  void theyGoWithTheirJob() throws Exception {
    String metric = "it.summary.rollback";
    Random random = new Random(32);
    String firstJob = load("puts", lines(metric, random, 200));
    int before = blocks(metric);
    List<String> second = lines(metric, random, 200);
    Collections.shuffle(second, random);
    String secondJob = load("hfiles", second);
    assertTrue(blocks(metric) > before);
    run(ExitCode.OK, "job rollback " + secondJob + " --yes");
    assertEquals(before, blocks(metric));
    verified(metric);
    run(ExitCode.OK, "job rollback " + firstJob + " --yes");
    assertEquals(0, blocks(metric));
    verified(metric);
  }

  @Test
  void thoseOfStagedFilesAreBuiltWhereTheyAreBulkLoaded() throws Exception {
    String metric = "it.summary.staged";
    Path stage = folder.resolve("stage");
    load("hfiles --stage " + stage, lines(metric, new Random(33), 300));
    assertEquals(0, blocks(metric));
    assertEquals(0, verified(metric).cells());
    run(ExitCode.OK, "hfile complete " + stage);
    assertTrue(said.contains("summaries"), said);
    assertEquals(3 * 4, blocks(metric));
    assertTrue(verified(metric).cells() > 1_000);
  }

  @Test
  void whatIsWrongIsFoundAndBuiltAgain() throws Exception {
    String metric = "it.summary.build";
    load("puts", lines(metric, new Random(34), 300));
    HBaseClaims claims = new HBaseClaims(cluster.connection(), StoreTables.DATA);
    Result row = rows(metric).get(0);
    try (Table table = summaryTable()) {
      byte[] family = row.getNoVersionMap().firstKey();
      byte[] qualifier = row.getFamilyMap(family).firstKey();
      byte[] good = row.getValue(family, qualifier);
      byte[] value = good.clone();
      long stamp = row.rawCells()[0].getTimestamp();
      int loader = qualifier[0] << 16 | (qualifier[1] & 0xff) << 8 | (qualifier[2] & 0xff);
      byte[] second = qualifier.clone();
      second[3] = 7;
      value[value.length / 2]++;
      // A damaged block, a surplus block, a block in a row with a malformed key, and a block of a
      // month without cells.
      table.put(new Put(row.getRow()).addColumn(family, qualifier, stamp, value));
      table.put(new Put(row.getRow()).addColumn(Bytes.toBytes("m"), second, stamp, value));
      byte[] later = row.getRow().clone();
      later[4]++;
      table.put(new Put(later).addColumn(family, qualifier, stamp, good));
      System.arraycopy(Bytes.toBytes((int) MAY_S), 0, later, 4, Integer.BYTES);
      table.put(new Put(later).addColumn(family, qualifier, stamp, good));
      assertEquals(4, verify(metric).differing(), verify(metric).problems().toString());
      hoursWithAClaimOfAnotherAreLeftOut(metric, claims);
      long from = START_S + 3600;
      claims.put(loader, new SummaryClaim(Reason.NOT_SUMMARISED, from, from + 3600, uid(metric)));
      assertEquals(0, verify(metric).blocks(), "readers leave out loaders with a claim");

      assertEquals(0, build(metric, Set.of()).left().stream().filter(isOf(loader)).count());
      Verified built = verified(metric);
      assertEquals(0, built.differing(), built.problems().toString());
      assertEquals(3 * 4, blocks(metric));

      // As if its process had died: what it has stored is not touched.
      claims.put(loader, new SummaryClaim(Reason.WRITING, from, from + 3600, uid(metric)));
      table.put(new Put(row.getRow()).addColumn(family, second, stamp, value));
      assertEquals(1, build(metric, Set.of()).left().stream().filter(isOf(loader)).count());
      assertEquals(3 * 4 + 1, blocks(metric));
      assertEquals(0, build(metric, Set.of(loader)).left().stream().filter(isOf(loader)).count());
      assertEquals(3 * 4, blocks(metric));
      verified(metric);
    }
  }

  /** Damaged blocks and rows count all the same: what is in them cannot be known. */
  private void hoursWithAClaimOfAnotherAreLeftOut(String metric, HBaseClaims claims)
      throws Exception {
    claims.putOther(77, new SummaryClaim(Reason.DELETED, 0, RowKeyLayout.END_OF_TIME, uid(metric)));
    Verified found = verify(metric);
    assertEquals(3, found.differing(), found.problems().toString());
    assertEquals(1, found.claimed());
    claims.putOther(77, new SummaryClaim(Reason.DELETED, 0, START_S, uid(metric)));
    assertEquals(4, verify(metric).differing(), "hours before all of them");
    assertEquals(0, verify(metric).claimed());
    claims.removeOther(77);
  }

  @Test
  void aBuildThatDiesAtAnyWriteLeavesNothingWrong() throws Exception {
    String metric = "it.summary.dying";
    needsBuilding(metric, 36);
    int writes = 0;
    boolean built = false;
    for (; !built; writes++) {
      try {
        new SummaryBuilder(
                DyingConnection.after(writes, cluster.connection()), StoreTables.DATA, LAYOUT)
            .build(range(metric), Set.of(), cells -> {});
        built = true;
      } catch (IOException e) {
        assertEquals(DyingConnection.DEAD, e.getMessage());
      }
      Verified found = verify(metric);
      assertEquals(
          0,
          found.differing() + found.claimed(),
          "after " + writes + " writes: " + found.problems());
      // The next builder would take what this one has left for that of somebody at work.
      HBaseClaims claims = new HBaseClaims(cluster.connection(), StoreTables.DATA);
      for (StoredClaim claim : claims.read().claims()) {
        if (claim.isOfBuilder()) {
          claims.remove(claim);
        }
      }
    }
    assertTrue(writes > 5, "writes of a build: " + writes);
    assertEquals(3 * 4, blocks(metric));
    verified(metric);
  }

  @Test
  void twoBuildersAtOnceDoNoHarm() throws Exception {
    String metric = "it.summary.two";
    needsBuilding(metric, 37);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Callable<SummaryBuilder.Built>> both =
          List.of(() -> build(metric, Set.of()), () -> build(metric, Set.of()));
      for (Future<SummaryBuilder.Built> each : threads.invokeAll(both)) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(0, verify(metric).differing(), verify(metric).problems().toString());
    assertEquals(0, verify(metric).claimed());
    build(metric, Set.of());
    assertEquals(3 * 4, blocks(metric));
    verified(metric);
  }

  /** A loaded metric, one block of which is damaged, and whose loader has a claim. */
  private void needsBuilding(String metric, int seed) throws Exception {
    load("puts", lines(metric, new Random(seed), 300));
    Result row = rows(metric).get(0);
    byte[] family = row.getNoVersionMap().firstKey();
    byte[] qualifier = row.getFamilyMap(family).firstKey();
    byte[] value = row.getValue(family, qualifier);
    value[value.length / 2]++;
    long stamp = row.rawCells()[0].getTimestamp();
    byte[] second = qualifier.clone();
    second[3] = 7;
    try (Table table = summaryTable()) {
      table.put(new Put(row.getRow()).addColumn(family, qualifier, stamp, value));
      table.put(new Put(row.getRow()).addColumn(family, second, stamp, value));
    }
    int loader = qualifier[0] << 16 | (qualifier[1] & 0xff) << 8 | (qualifier[2] & 0xff);
    new HBaseClaims(cluster.connection(), StoreTables.DATA)
        .put(
            loader,
            new SummaryClaim(Reason.NOT_SUMMARISED, START_S, START_S + 3600L * HOURS, uid(metric)));
  }

  private static Predicate<StoredClaim> isOf(int loader) {
    return claim -> claim.loaderId() == loader;
  }

  private SummaryBuilder.Built build(String metric, Set<Integer> ended) throws Exception {
    return new SummaryBuilder(cluster.connection(), StoreTables.DATA, LAYOUT)
        .build(range(metric), ended, cells -> {});
  }

  /** Two months of a few points an hour, some hours of many points, of four series. */
  private static List<String> lines(String metric, Random random, int hoursOfEach) {
    List<String> lines = new ArrayList<>();
    for (int series = 0; series < 4; series++) {
      int[] hours = random.ints(0, HOURS).distinct().limit(hoursOfEach).sorted().toArray();
      for (int hour : hours) {
        int points = random.nextInt(40) == 0 ? 300 : 1 + random.nextInt(3);
        for (int i = 0; i < points; i++) {
          String value = series % 2 == 0 ? "" + random.nextInt(99) : "" + random.nextGaussian();
          lines.add(
              metric + " " + (START_S + 3600L * hour + 12L * i) + " " + value + " s=" + series);
        }
      }
    }
    return lines;
  }

  /** Loads lines with one thread; returns the job. */
  @CanIgnoreReturnValue
  private String load(String sink, List<String> lines) throws Exception {
    Path file = Files.write(Files.createTempFile(folder, "lines", ".txt"), lines);
    run(ExitCode.OK, "load --threads 1 --allow-duplicate-input --sink " + sink + " " + file);
    Matcher job = JOB.matcher(said);
    assertTrue(job.find(), said);
    return job.group(1);
  }

  private void run(ExitCode expected, String options) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    List<String> words = new ArrayList<>(List.of(options.split(" ", -1)));
    words.addAll(List.of("--dir", server.store().root().toString()));
    int code =
        Packhorse.commandLine().setOut(writer).setErr(writer).execute(words.toArray(String[]::new));
    said = out.toString();
    assertEquals(expected.code(), code, said);
  }

  /** Compares, and holds the summaries and claims of a metric to what they should be. */
  private Verified verified(String metric) throws Exception {
    Verified found = verify(metric);
    assertEquals(0, found.differing(), found.problems().toString());
    assertEquals(0, found.claimed());
    for (StoredClaim claim : found.claims()) {
      boolean others = claim.claim().metrics().isEmpty() || !claim.claim().has(uid(metric).get(0));
      assertTrue(others, "a claim is left: " + claim);
    }
    return found;
  }

  private Verified verify(String metric) throws Exception {
    return new SummaryVerifier(cluster.connection(), StoreTables.DATA, LAYOUT)
        .verify(range(metric), cells -> {});
  }

  private SummaryRange range(String metric) throws Exception {
    return SummaryRange.around(0, RowKeyLayout.END_OF_TIME, uid(metric));
  }

  private List<byte[]> uid(String metric) throws Exception {
    HBaseUidTable uids =
        new HBaseUidTable(cluster.connection(), StoreTables.UID, UidWidths.DEFAULT, Runnable::run);
    return List.of(UidRows.encode(uids.find(UidKind.METRIC, List.of(metric))[0], 3));
  }

  private int blocks(String metric) throws Exception {
    return rows(metric).stream()
        .mapToInt(
            row ->
                (int)
                    Stream.of(row.rawCells())
                        .filter(cell -> !CellUtil.matchingFamily(cell, Bytes.toBytes("h")))
                        .count())
        .sum();
  }

  private List<Result> rows(String metric) throws Exception {
    long uid = UidRows.decode(uid(metric).get(0), 3);
    List<Result> rows = new ArrayList<>();
    try (Table table = summaryTable()) {
      for (int bucket = 0; bucket < 4; bucket++) {
        Scan scan =
            new Scan()
                .withStartRow(LAYOUT.scanStart(bucket, uid, 0))
                .withStopRow(LAYOUT.scanStop(bucket, uid, RowKeyLayout.END_OF_TIME));
        try (ResultScanner found = table.getScanner(scan)) {
          found.forEach(rows::add);
        }
      }
    }
    return rows;
  }

  private Table summaryTable() throws Exception {
    return cluster.connection().getTable(TableName.valueOf(SummaryTable.of(StoreTables.DATA)));
  }
}
