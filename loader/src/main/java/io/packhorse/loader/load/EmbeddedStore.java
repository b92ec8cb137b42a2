package io.packhorse.loader.load;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.Distribution;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.loader.table.hbase.HBaseTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The embedded store: an HBase and a TSD on this machine over one directory.
 *
 * @param path of the directory, absolute; need not exist
 */
public record EmbeddedStore(Path path) {
  /** Opens the store, creating it in a missing or empty directory. */
  public StoreDirectory open() throws StoreException, IOException {
    return StoreDirectory.open(path);
  }

  /** The store if the directory holds one; creates nothing. */
  public Optional<StoreDirectory> find() throws StoreException, IOException {
    return StoreDirectory.isStore(path) ? Optional.of(open()) : Optional.empty();
  }

  /** Whether its HBase runs. */
  public boolean isRunning() throws StoreException, IOException {
    Optional<StoreDirectory> found = find();
    return found.isPresent() && EmbeddedServer.current(found.get()).isRunning();
  }

  /** Whether its HBase runs, but not the patched TSD. */
  public boolean lacksTsd() throws StoreException, IOException {
    return isRunning() && EmbeddedServer.current(open()).tsd(TsdKind.PATCHED).isEmpty();
  }

  /** Starts the servers that do not run; the tables exist when this returns. */
  public EmbeddedServer ensureRunning(ServerOptions options)
      throws StoreException, IOException, InterruptedException {
    return EmbeddedServer.ensureRunning(
        open(), Distribution.current(), options, EmbeddedStore::createMissingTables);
  }

  private static void createMissingTables(String zookeeperQuorum) throws IOException {
    try (Cluster cluster = Cluster.connect(zookeeperQuorum, null)) {
      new HBaseTables(cluster.connection()).createMissing(ServerOptions.tables());
    }
  }
}
