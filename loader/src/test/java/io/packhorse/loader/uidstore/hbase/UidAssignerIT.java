package io.packhorse.loader.uidstore.hbase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.resolve.UidAssigner;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.table.TableSpec;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Assigners that know nothing of each other, over one real table. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class UidAssignerIT {
  private static final int RACERS = 4;
  private static final int NAMES = 1500;

  /** In the table as Packhorse makes it, and as OpenTSDB's own script does. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void racersAgreeOnEveryName(boolean multiRowPuts) throws Exception {
    String uidTable = multiRowPuts ? StoreTables.UID : "uid-one-by-one";
    List<String> names = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      names.add("it.uid.race." + i);
    }
    ExecutorService racers = Executors.newFixedThreadPool(RACERS);
    ExecutorService calls = Executors.newCachedThreadPool();
    try (Cluster cluster = Cluster.connect(EmbeddedStoreFixture.shared().zookeeperQuorum(), null)) {
      makeTable(cluster, uidTable, multiRowPuts);
      List<Future<long[]>> racing = new ArrayList<>();
      for (int racer = 0; racer < RACERS; racer++) {
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled, new Random(racer));
        racing.add(
            racers.submit(
                () -> {
                  UidAssigner assigner = assigner(cluster, uidTable, calls);
                  for (int from = 0; from < NAMES; from += 100) {
                    assigner.findOrAssign(UidKind.TAGV, shuffled.subList(from, from + 100));
                  }
                  return assigner.findOrAssign(UidKind.TAGV, names);
                }));
      }
      long[] uids = racing.get(0).get();
      for (Future<long[]> racer : racing) {
        assertArrayEquals(uids, racer.get());
      }
      assertEquals(NAMES, Arrays.stream(uids).distinct().count());
      assertReverseRows(cluster, uidTable, names, uids);
    } finally {
      racers.shutdownNow();
      calls.shutdownNow();
    }
  }

  private static void makeTable(Cluster cluster, String name, boolean multiRowPuts)
      throws IOException {
    List<FamilySpec> families = List.of(new FamilySpec("id"), new FamilySpec("name"));
    TableSpec spec = new TableSpec(name, families, List.of(), true, multiRowPuts);
    new HBaseTables(cluster.connection()).createMissing(List.of(spec));
  }

  private static UidAssigner assigner(Cluster cluster, String uidTable, Executor calls) {
    return new UidAssigner(
        new HBaseUidTable(cluster.connection(), uidTable, UidWidths.DEFAULT, calls),
        UidWidths.DEFAULT,
        Long.MAX_VALUE);
  }

  private static void assertReverseRows(
      Cluster cluster, String uidTable, List<String> names, long[] uids) throws Exception {
    byte[] family = UidRows.NAME_FAMILY.getBytes(StandardCharsets.US_ASCII);
    byte[] qualifier = UidKind.TAGV.qualifierBytes();
    try (Table table = cluster.connection().getTable(TableName.valueOf(uidTable))) {
      for (int i = 0; i < uids.length; i++) {
        byte[] name = table.get(new Get(UidRows.encode(uids[i], 3))).getValue(family, qualifier);
        assertTrue(name != null, names.get(i));
        assertEquals(names.get(i), UidRows.name(name));
      }
    }
  }
}
