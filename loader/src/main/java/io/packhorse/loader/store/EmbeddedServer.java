package io.packhorse.loader.store;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The servers of one store directory: HBase, and TSDs. They are processes of their own, and run on
 * until {@link #stop} is called. A directory has at most one server of a kind; commands that start
 * or stop servers wait for each other.
 *
 * <p>Immutable: the state when the object was made. Any number of threads.
 */
public final class EmbeddedServer {
  private static final Duration LOCK_WAIT_MAX = Duration.ofMinutes(1);
  private static final Duration TSD_STOP_MAX = Duration.ofSeconds(10);

  /** HBase flushes its memory first, up to a few hundred MB. */
  private static final Duration HBASE_STOP_MAX = Duration.ofMinutes(2);

  private final StoreDirectory store;
  private final ServerState state;

  private EmbeddedServer(StoreDirectory store, ServerState state) {
    this.store = store;
    this.state = state;
  }

  /**
   * Starts the servers of the options that are not running.
   *
   * @throws StoreException if a port is taken, a server of this directory runs on another port than
   *     the one given, disk space is short, or a server fails; servers that this call has started
   *     are stopped again
   */
  public static EmbeddedServer ensureRunning(
      StoreDirectory store, Distribution distribution, ServerOptions options, TableCreation tables)
      throws StoreException, IOException, InterruptedException {
    return store.withCommandLock(
        LOCK_WAIT_MAX,
        () ->
            new EmbeddedServer(store, new ServerStart(store, distribution, options, tables).run()));
  }

  /** Starts servers as {@link #ensureRunning}, but refuses if the directory has a running HBase. */
  public static EmbeddedServer start(
      StoreDirectory store, Distribution distribution, ServerOptions options, TableCreation tables)
      throws StoreException, IOException, InterruptedException {
    return store.withCommandLock(
        LOCK_WAIT_MAX,
        () -> {
          ServerProcess hbase = store.state().process(ServerState.HBASE);
          if (hbase.isAlive()) {
            throw StoreException.refused(
                store.root()
                    + " is in use by a server (process "
                    + hbase.pid()
                    + "); stop it with: packhorse server stop --dir "
                    + store.root());
          }
          return new EmbeddedServer(
              store, new ServerStart(store, distribution, options, tables).run());
        });
  }

  /**
   * Waits, and starts the patched TSD again each time it ends. Returns once HBase does not run
   * either, or the TSD has ended once more than {@code timesMax}.
   *
   * @param restarted told after each restart; the TSD's port may be another one
   * @return whether HBase runs
   * @throws StoreException if the TSD does not start
   */
  public static boolean keepTsdRunning(
      StoreDirectory store,
      Distribution distribution,
      int timesMax,
      Consumer<EmbeddedServer> restarted)
      throws StoreException, IOException, InterruptedException {
    for (int times = 0; ; times++) {
      store.state().process(TsdKind.PATCHED.id()).awaitEnd();
      if (times == timesMax) {
        return current(store).isRunning();
      }
      // A command that stops the store stops the TSD first: under its lock, HBase tells them apart.
      Optional<EmbeddedServer> servers =
          store.withCommandLock(
              LOCK_WAIT_MAX,
              () -> {
                if (!current(store).isRunning()) {
                  return Optional.empty();
                }
                return Optional.of(
                    new EmbeddedServer(
                        store,
                        new ServerStart(store, distribution, ServerOptions.defaults(), quorum -> {})
                            .run()));
              });
      if (servers.isEmpty()) {
        return false;
      }
      restarted.accept(servers.get());
    }
  }

  /** The servers that are running now, perhaps none. */
  public static EmbeddedServer current(StoreDirectory store) throws IOException {
    return new EmbeddedServer(store, store.state());
  }

  /** Whether HBase is running; a TSD may be running without it. */
  public boolean isRunning() {
    return hbase().isAlive();
  }

  /**
   * Stops all running servers of a directory, the TSDs first.
   *
   * @return number of processes stopped
   * @throws StoreException if HBase had to be killed; the next start recovers its data
   */
  @CanIgnoreReturnValue
  public static int stop(StoreDirectory store)
      throws StoreException, IOException, InterruptedException {
    return store.withCommandLock(LOCK_WAIT_MAX, () -> stopAll(store, store.state()));
  }

  static int stopAll(StoreDirectory store, ServerState state)
      throws StoreException, InterruptedException {
    int stopped = 0;
    for (TsdKind kind : TsdKind.values()) {
      ServerProcess tsd = state.process(kind.id());
      if (tsd.isAlive()) {
        tsd.stop(TSD_STOP_MAX);
        stopped++;
      }
    }
    ServerProcess hbase = state.process(ServerState.HBASE);
    if (hbase.isAlive()) {
      stopped++;
      if (!hbase.stop(HBASE_STOP_MAX)) {
        throw StoreException.failed(
            "HBase did not stop within "
                + HBASE_STOP_MAX.toSeconds()
                + " s and was killed; the next start recovers its data; log: "
                + store.log(ServerState.HBASE));
      }
    }
    return stopped;
  }

  /** Stops these servers; see {@link #stop(StoreDirectory)}. */
  public void stop() throws StoreException, IOException, InterruptedException {
    stop(store);
  }

  /** The directory served. */
  public StoreDirectory store() {
    return store;
  }

  /** ZooKeeper's address for clients: {@code 127.0.0.1:port}. */
  public String zookeeperQuorum() {
    return "127.0.0.1:" + state.port(ServerState.ZOOKEEPER).orElseThrow();
  }

  /** The HBase process. */
  public ServerProcess hbase() {
    return state.process(ServerState.HBASE);
  }

  /**
   * Address of the patched TSD, without a trailing slash.
   *
   * @throws IllegalStateException if none is running
   */
  public URI tsdUrl() {
    return tsd(TsdKind.PATCHED)
        .map(Tsd::url)
        .orElseThrow(
            () -> new IllegalStateException("no patched TSD is running for " + store.root()));
  }

  /** A TSD of a kind, if it is running. */
  public Optional<Tsd> tsd(TsdKind kind) {
    return Optional.ofNullable(tsds().get(kind));
  }

  /** The running TSDs. */
  public Map<TsdKind, Tsd> tsds() {
    Map<TsdKind, Tsd> running = new EnumMap<>(TsdKind.class);
    for (TsdKind kind : TsdKind.values()) {
      ServerProcess process = state.process(kind.id());
      if (process.isAlive()) {
        running.put(kind, new Tsd(TsdServer.url(state.port(kind.id()).orElseThrow()), process));
      }
    }
    return running;
  }

  /**
   * A running TSD.
   *
   * @param url its address, without a trailing slash
   * @param process its process
   */
  public record Tsd(URI url, ServerProcess process) {}
}
