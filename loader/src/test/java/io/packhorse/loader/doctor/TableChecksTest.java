package io.packhorse.loader.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.table.FoundFamily;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.FoundTable.Regions;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.table.TableSpec;
import io.packhorse.schema.uid.UidWidths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class TableChecksTest {
  private static final OptionalLong NO_BYTES = OptionalLong.of(0);
  private static final TableLayout LAYOUT = layout(new SaltFunction(1, 2));
  private static final List<byte[]> BY_BUCKET = List.of(new byte[0], new byte[] {1});

  private final Map<String, FoundTable> found = new LinkedHashMap<>();

  TableChecksTest() {
    put(data(Regions.FIXED, BY_BUCKET, family("t"), family("p")));
    put(table("tsdb-uid", family("id"), family("name")));
    put(table("tsdb-meta", family("name")));
    put(table("tsdb-tree", family("t")));
    put(table("packhorse", family("j")));
  }

  @Test
  void acceptsTheTablesOfANewStore() {
    assertEquals(List.of(), worse(LAYOUT));
  }

  @Test
  void reportsMissingTables() {
    found.clear();
    assertEquals(
        List.of("FAIL tsdb", "FAIL tsdb-uid", "FAIL tsdb-meta", "WARN tsdb-tree"), worse(LAYOUT));
  }

  @Test
  void reportsMissingFamiliesButNotThatOfPackedCells() {
    put(data(Regions.FIXED, BY_BUCKET, family("t")));
    put(table("tsdb-uid", family("id")));
    assertEquals(List.of("FAIL tsdb-uid"), worse(LAYOUT));
  }

  @Test
  void warnsOfVersionsAndBloomFilters() {
    put(
        data(
            Regions.FIXED,
            BY_BUCKET,
            new FoundFamily("t", "NONE", "NONE", "ROW", 3, FoundFamily.FOREVER),
            new FoundFamily("p", "NONE", "NONE", "NONE", 1, FoundFamily.FOREVER)));
    assertEquals(List.of("WARN tsdb", "WARN tsdb"), worse(LAYOUT));
  }

  @Test
  void warnsOfRegionsThatSplitOrHoldSeveralBuckets() {
    put(data(Regions.SPLIT_BY_SIZE, List.of(new byte[0]), family("t"), family("p")));
    assertEquals(List.of("WARN tsdb", "WARN tsdb"), worse(LAYOUT));
    put(data(Regions.FIXED, List.of(new byte[0], new byte[] {0, 5}), family("t"), family("p")));
    assertEquals(List.of("WARN tsdb"), worse(LAYOUT));
    put(data(Regions.FIXED, List.of(new byte[0]), family("t"), family("p")));
    assertEquals(List.of("WARN tsdb"), worse(layout(SaltFunction.NONE)));
    put(data(Regions.BY_STORE, List.of(new byte[0]), family("t"), family("p")));
    assertEquals(List.of(), worse(LAYOUT));
    assertEquals(List.of(), worse(layout(SaltFunction.NONE)));
  }

  @Test
  void saysThatATtlCountsFromTheLoad() {
    assertEquals(Verdict.OK, TableChecks.timeToLive(withTtl(FoundFamily.FOREVER)).get(0).verdict());
    Finding month = TableChecks.timeToLive(withTtl(30 * 86_400)).get(0);
    assertEquals(Verdict.WARN, month.verdict());
    assertTrue(month.found().contains("30 days after they were loaded"), month.found());
    assertEquals(Verdict.FAIL, TableChecks.timeToLive(withTtl(3_600)).get(0).verdict());
  }

  @Test
  void acceptsACodecOnServersThatServeRegionsWithIt() {
    FoundTable packed =
        new FoundTable(
            "tsdb",
            List.of(new FoundFamily("p", "ZSTD", "FAST_DIFF", "ROW", 1, FoundFamily.FOREVER)),
            Regions.FIXED,
            BY_BUCKET,
            new TreeSet<>(Set.of("one:1", "two:1")),
            NO_BYTES);
    assertEquals(
        Verdict.OK, TableChecks.codecs(List.of(packed), Set.of("one:1", "two:1")).get(0).verdict());
    Finding unproven = TableChecks.codecs(List.of(packed), Set.of("one:1", "ten:1")).get(0);
    assertEquals(Verdict.WARN, unproven.verdict());
    assertTrue(unproven.found().contains("ten:1"), unproven.found());
    assertTrue(unproven.todo().endsWith("--codec ZSTD"), unproven.todo());
    assertEquals(
        "no family is compressed",
        TableChecks.codecs(found.values(), Set.of("one:1")).get(0).found());
  }

  private List<String> worse(TableLayout layout) {
    List<TableSpec> specs = layout.tables(List.of(), "NONE");
    List<String> worse = new ArrayList<>();
    for (Finding finding : TableChecks.differences(layout, specs, found)) {
      if (finding.verdict() != Verdict.OK) {
        worse.add(finding.verdict() + " " + finding.where());
      }
    }
    return worse;
  }

  private void put(FoundTable table) {
    found.put(table.name(), table);
  }

  private static FoundTable withTtl(int seconds) {
    return data(Regions.FIXED, BY_BUCKET, new FoundFamily("p", "NONE", "NONE", "ROW", 1, seconds));
  }

  private static FoundTable data(Regions splits, List<byte[]> startKeys, FoundFamily... families) {
    return new FoundTable("tsdb", List.of(families), splits, startKeys, new TreeSet<>(), NO_BYTES);
  }

  private static FoundTable table(String name, FoundFamily... families) {
    return new FoundTable(
        name, List.of(families), Regions.FIXED, List.of(new byte[0]), new TreeSet<>(), NO_BYTES);
  }

  private static FoundFamily family(String name) {
    return new FoundFamily(name, "NONE", "NONE", "ROW", 1, FoundFamily.FOREVER);
  }

  private static TableLayout layout(SaltFunction salt) {
    return new TableLayout(
        new RowKeyLayout(UidWidths.DEFAULT, salt), "tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");
  }
}
