package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.load.Announcer;
import io.packhorse.loader.load.EmbeddedStore;
import io.packhorse.loader.load.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of the processes over stores of their own. */
final class EmbeddedServerIT {
  private static final byte[] FAMILY = {'p'};
  private static final byte[] ROW = {0, 1, 2, 3};
  private static final byte[] QUALIFIER = {(byte) 0xa1, 0, 0, 1, 0};
  private static final byte[] VALUE = {1, 2, 3};

  @Test
  void keepsAcknowledgedCellsThroughKillAndThroughStop(@TempDir Path temp) throws Exception {
    StoreDirectory store = StoreDirectory.open(temp.resolve("a store"));
    EmbeddedServer server = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
    try {
      put(server);
      ServerProcess tsd = server.tsd(TsdKind.PATCHED).orElseThrow().process();
      server.hbase().kill();
      assertFalse(EmbeddedServer.current(store).isRunning());
      assertTrue(tsd.isAlive());

      EmbeddedServer restarted = EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED));
      assertEquals(server.zookeeperQuorum(), restarted.zookeeperQuorum());
      assertFalse(tsd.isAlive(), "a TSD of the killed HBase is replaced");
      assertStored(restarted);

      killTsd(restarted);
      List<EmbeddedServer> seen = new ArrayList<>();
      assertTrue(
          EmbeddedServer.keepTsdRunning(
              store,
              Distribution.current(),
              1,
              again -> {
                seen.add(again);
                killTsd(again);
              }),
          "HBase runs");
      assertEquals(1, seen.size());
      assertEquals(restarted.hbase(), seen.get(0).hbase());
      assertEquals(
          List.of("OpenTSDB did not run and was started again; logs in " + store.log()),
          saidByTheNextCommand(store));

      assertEquals(2, EmbeddedServer.stop(store));
      assertEquals(0, EmbeddedServer.stop(store));
      assertFalse(
          EmbeddedServer.keepTsdRunning(
              store,
              Distribution.current(),
              1,
              again -> {
                throw new AssertionError("a store that was stopped stays so");
              }));
      assertFalse(restarted.isRunning());
      assertTrue(restarted.tsds().isEmpty());

      assertStored(EmbeddedStoreFixture.start(store, EnumSet.noneOf(TsdKind.class)));
    } finally {
      EmbeddedServer.stop(store);
    }
  }

  @Test
  void startsOnlyWhatIsMissing() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    EmbeddedServer again =
        EmbeddedServer.ensureRunning(
            server.store(),
            Distribution.current(),
            ServerOptions.defaults(),
            quorum -> {
              throw new IOException("nothing to create");
            });
    assertEquals(server.hbase(), again.hbase());
    assertEquals(server.tsds(), again.tsds());
  }

  /** As if the command had been killed between the start of HBase and the save of its state. */
  @Test
  void findsAnHBaseThatWasNotSaved(@TempDir Path temp) throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    EmbeddedServer unsaved = EmbeddedStoreFixture.start(store, EnumSet.noneOf(TsdKind.class));
    try {
      put(unsaved);
      Files.delete(temp.resolve("run").resolve("server.properties"));
      assertEquals(unsaved.hbase(), EmbeddedServer.current(store).hbase());

      List<String> created = new ArrayList<>();
      EmbeddedServer found =
          EmbeddedServer.ensureRunning(
              store,
              Distribution.current(),
              EmbeddedStoreFixture.options(EnumSet.noneOf(TsdKind.class)),
              created::add);
      assertEquals(unsaved.hbase(), found.hbase());
      assertEquals(List.of(unsaved.zookeeperQuorum()), created, "the tables may be missing too");
      assertStored(found);
    } finally {
      assertEquals(1, EmbeddedServer.stop(store));
    }
    assertFalse(unsaved.isRunning());
  }

  @Test
  void refusesASecondServerAndOtherPortsOverOneDirectory() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    StoreException second =
        assertThrows(
            StoreException.class,
            () ->
                EmbeddedServer.start(
                    server.store(),
                    Distribution.current(),
                    ServerOptions.defaults(),
                    EmbeddedStoreFixture::createTables));
    assertEquals(StoreException.Kind.REFUSED, second.kind());
    assertTrue(second.toString().contains("is in use by a server (process "), second.toString());

    OptionalInt none = OptionalInt.empty();
    ServerOptions otherPort =
        new ServerOptions(OptionalInt.of(1), none, none, EnumSet.of(TsdKind.PATCHED), none, true);
    StoreException other =
        assertThrows(
            StoreException.class,
            () ->
                EmbeddedServer.ensureRunning(
                    server.store(),
                    Distribution.current(),
                    otherPort,
                    EmbeddedStoreFixture::createTables));
    assertTrue(other.toString().contains("with ZooKeeper port "), other.toString());
  }

  @Test
  void saysWhyHBaseDidNotStartAndLeavesNothingRunning(@TempDir Path temp) throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    Files.writeString(temp.resolve("zookeeper"), "a file where a directory should be");
    StoreException e =
        assertThrows(
            StoreException.class,
            () -> EmbeddedStoreFixture.start(store, EnumSet.of(TsdKind.PATCHED)));
    assertEquals(StoreException.Kind.FAILED, e.kind());
    assertTrue(e.toString().contains("HBase did not start: "), e.toString());
    assertTrue(e.toString().contains("log: " + store.log("hbase")), e.toString());
    assertFalse(EmbeddedServer.current(store).isRunning());
  }

  @Test
  void stopsHBaseAgainWhenTheTablesCannotBeMade(@TempDir Path temp) throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    ServerOptions options = EmbeddedStoreFixture.options(EnumSet.noneOf(TsdKind.class));
    StoreException e =
        assertThrows(
            StoreException.class,
            () ->
                EmbeddedServer.ensureRunning(
                    store,
                    Distribution.current(),
                    options,
                    quorum -> {
                      throw new IOException("no such luck");
                    }));
    assertTrue(e.toString().contains("tables: no such luck; log: "), e.toString());
    assertFalse(EmbeddedServer.current(store).isRunning());
  }

  private static void killTsd(EmbeddedServer server) {
    try {
      server.tsd(TsdKind.PATCHED).orElseThrow().process().kill();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> saidByTheNextCommand(StoreDirectory store) throws Exception {
    List<String> said = new ArrayList<>();
    Announcer announcer =
        new Announcer() {
          @Override
          public void say(String topic, String sentence) {
            said.add(sentence);
          }

          @Override
          public void fail(String sentence) {
            said.add(sentence);
          }

          @Override
          public Progress progress(Supplier<Status> status) {
            return SILENT.progress(status);
          }
        };
    StoreAddress.ofEmbedded(new EmbeddedStore(store.root())).open(announcer).close();
    return said;
  }

  private static void put(EmbeddedServer server) throws IOException {
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf("tsdb"))) {
      table.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, VALUE));
    }
  }

  private static void assertStored(EmbeddedServer server) throws IOException {
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf("tsdb"))) {
      assertArrayEquals(VALUE, table.get(new Get(ROW)).getValue(FAMILY, QUALIFIER));
    }
  }
}
