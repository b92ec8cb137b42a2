package io.packhorse.loader.uidstore.hbase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names among others of a real table. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HBaseUidTableIT {
  private static final String TABLE = "uid-find";

  /** Beginnings of each other, and such as sort by their bytes as unsigned numbers. */
  private static final List<String> CLOSE =
      List.of("n", "n0", "n00", "n\u00e9", "n\u00ff0", "\u00e9");

  /** The table has two regions, with names of all kinds in both. */
  @Test
  void findsNamesAmongOthers() throws Exception {
    List<String> names = new ArrayList<>(CLOSE);
    IntStream.range(0, 3000).forEach(i -> names.add((i % 2 == 0 ? "a.find." : "z.find.") + i));
    try (Cluster cluster = Cluster.connect(EmbeddedStoreFixture.shared().zookeeperQuorum(), null)) {
      List<FamilySpec> families = List.of(new FamilySpec("id"), new FamilySpec("name"));
      TableSpec spec =
          new TableSpec(
              TABLE, families, List.of("m".getBytes(StandardCharsets.US_ASCII)), true, false);
      new HBaseTables(cluster.connection()).createMissing(List.of(spec));
      HBaseUidTable table =
          new HBaseUidTable(cluster.connection(), TABLE, UidWidths.DEFAULT, Runnable::run);
      // Every third name has a UID; those of another kind are a thousand higher.
      List<String> there =
          IntStream.range(0, names.size()).filter(i -> i % 3 == 0).mapToObj(names::get).toList();
      table.putUids(
          UidKind.TAGV, there, IntStream.range(0, there.size()).mapToLong(i -> i + 1).toArray());
      table.putUids(
          UidKind.TAGK, names, IntStream.range(0, names.size()).mapToLong(i -> i + 1001).toArray());

      List<String> asked = new ArrayList<>(names);
      asked.addAll(CLOSE);
      Collections.shuffle(asked, new Random(5));
      assertArrayEquals(
          asked.stream().mapToLong(name -> there.indexOf(name) + 1).toArray(),
          table.find(UidKind.TAGV, asked));
      assertArrayEquals(
          asked.stream().mapToLong(name -> names.indexOf(name) + 1001).toArray(),
          table.find(UidKind.TAGK, asked));
      for (String name : CLOSE) {
        assertEquals(there.indexOf(name) + 1, table.find(UidKind.TAGV, List.of(name))[0], name);
        assertEquals(UidTable.NONE, table.find(UidKind.METRIC, List.of(name))[0], name);
      }
    }
  }
}
