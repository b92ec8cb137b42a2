package io.packhorse.loader.store;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.table.hbase.HBaseTables;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The real store for integration tests: HBase with a patched and a stock TSD, from the distribution
 * that the build has just made.
 *
 * <p>{@link #shared} starts one for the whole JVM, on free ports in a directory of its own; it is
 * stopped and deleted when the JVM ends. Tests share its tables, so each takes a metric or row keys
 * of its own.
 */
public final class EmbeddedStoreFixture {
  private static @Nullable EmbeddedServer shared;

  private EmbeddedStoreFixture() {}

  /** The store of this JVM, started at the first call. */
  public static synchronized EmbeddedServer shared()
      throws StoreException, IOException, InterruptedException {
    EmbeddedServer running = shared;
    if (running == null) {
      Path dir = Files.createTempDirectory("packhorse-it-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndDelete(dir), "stop-store"));
      running = start(StoreDirectory.open(dir), EnumSet.allOf(TsdKind.class));
      shared = running;
    }
    return running;
  }

  /** Starts a store of the test's own, or what is missing of it; the test stops it. */
  public static EmbeddedServer start(StoreDirectory store, EnumSet<TsdKind> tsds)
      throws StoreException, IOException, InterruptedException {
    return EmbeddedServer.ensureRunning(
        store, Distribution.current(), options(tsds), EmbeddedStoreFixture::createTables);
  }

  /**
   * Starts a store of the test's own whose HBase is the older one that the build keeps beside ours.
   */
  public static EmbeddedServer startOlder(StoreDirectory store)
      throws StoreException, IOException, InterruptedException {
    Path lib = Files.createTempDirectory("packhorse-older-");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(lib), "delete-links"));
    Path ours = Distribution.current().lib();
    Path older = ours.resolve("hbase-older");
    Files.createDirectories(lib.resolve("hbase"));
    for (String part : List.of("loader", "tsd", "tsd-overlay", "jvm-24.options")) {
      Files.createSymbolicLink(lib.resolve(part), ours.resolve(part));
    }
    Set<String> replaced = new HashSet<>();
    for (Path jar : jars(older)) {
      replaced.add(artifact(jar));
      Files.createSymbolicLink(lib.resolve("hbase").resolve(jar.getFileName()), jar);
    }
    for (Path jar : jars(ours.resolve("hbase"))) {
      if (!replaced.contains(artifact(jar))) {
        Files.createSymbolicLink(lib.resolve("hbase").resolve(jar.getFileName()), jar);
      }
    }
    return EmbeddedServer.ensureRunning(
        store,
        new Distribution(lib),
        options(EnumSet.of(TsdKind.PATCHED)),
        EmbeddedStoreFixture::createTables);
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Name of a jar without its version. */
  private static String artifact(Path jar) {
    return String.valueOf(jar.getFileName()).replaceFirst("-[0-9].*", "");
  }

  /** Ports of the store's choice, but never the usual 4242, which a developer's store may want. */
  static ServerOptions options(EnumSet<TsdKind> tsds) throws StoreException {
    OptionalInt none = OptionalInt.empty();
    OptionalInt tsdPort =
        tsds.contains(TsdKind.PATCHED)
            ? OptionalInt.of(Ports.choose("TSD", none, none, Set.of()))
            : none;
    return new ServerOptions(none, tsdPort, none, tsds, none, true);
  }

  /** As the commands do. */
  static void createTables(String zookeeperQuorum) throws IOException {
    try (Cluster cluster = Cluster.connect(zookeeperQuorum, null)) {
      new HBaseTables(cluster.connection()).createMissing(ServerOptions.tables());
    }
  }

  private static void stopAndDelete(Path dir) {
    try {
      EmbeddedServer.stop(StoreDirectory.open(dir));
      delete(dir);
    } catch (StoreException | IOException | InterruptedException e) {
      System.err.println("store of the integration tests not stopped: " + dir + ": " + e);
    }
  }

  private static void delete(Path dir) {
    try {
      Files.walkFileTree(dir, new Deletion());
    } catch (IOException e) {
      System.err.println("not removed: " + dir + ": " + e);
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException error)
        throws IOException {
      Files.delete(dir);
      return FileVisitResult.CONTINUE;
    }
  }
}
