package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.Distribution;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.ServerOptions;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.store.StoreException;
import io.packhorse.loader.table.hbase.HBaseTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which embedded store a command works on; shared by every command that may use one. */
public final class StoreOptions {
  /** System property with the folder of the launcher; set by it. */
  private static final String HOME_PROPERTY = "packhorse.home";

  @Option(
      names = "--dir",
      paramLabel = "D",
      description = {
        "Directory of the embedded store.",
        "Default: $PACKHORSE_DIR, or data/packhorse beside the packhorse script."
      })
  private @Nullable Path dir;

  /** The directory given, or the default one; need not exist. */
  public Path path() {
    if (dir != null) {
      return dir.toAbsolutePath().normalize();
    }
    String fromEnvironment = System.getenv("PACKHORSE_DIR");
    if (fromEnvironment != null && !fromEnvironment.isEmpty()) {
      return Path.of(fromEnvironment).toAbsolutePath().normalize();
    }
    String home = System.getProperty(HOME_PROPERTY, "");
    return Path.of(home, "data", "packhorse").toAbsolutePath().normalize();
  }

  /** The option that names the directory, as it was given; empty if it was not. */
  String asArguments() {
    return dir == null ? "" : " --dir " + dir;
  }

  /** Opens the store, making one of a missing or empty directory. */
  public StoreDirectory open() throws StoreException, IOException {
    return StoreDirectory.open(path());
  }

  /** The store if the directory holds one, and nothing made if not. */
  public Optional<StoreDirectory> find() throws StoreException, IOException {
    return StoreDirectory.isStore(path()) ? Optional.of(open()) : Optional.empty();
  }

  /** Whether HBase runs over the directory now. */
  boolean isRunning() throws StoreException, IOException {
    Optional<StoreDirectory> found = find();
    return found.isPresent() && EmbeddedServer.look(found.get()).isRunning();
  }

  /** Starts what is missing of the store's servers; tables are there when this returns. */
  public EmbeddedServer ensureRunning(ServerOptions options)
      throws StoreException, IOException, InterruptedException {
    return EmbeddedServer.ensureRunning(
        open(), Distribution.current(), options, StoreOptions::createMissingTables);
  }

  private static void createMissingTables(String zookeeperQuorum) throws IOException {
    try (Cluster cluster = Cluster.connect(zookeeperQuorum, null)) {
      new HBaseTables(cluster.connection()).createMissing(ServerOptions.tables());
    }
  }
}
