package io.packhorse.loader.store;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The servers running over one store directory: HBase, and the TSDs beside it.
 *
 * <p>They are processes of their own and outlive this object unless {@link #stop} is called. One
 * server of a kind per directory; commands that start or stop take turns. An instance is a picture
 * of the moment it was made.
 */
public final class EmbeddedServer {
  private static final Duration TURN_MAX = Duration.ofMinutes(1);
  private static final Duration TSD_STOP_MAX = Duration.ofSeconds(10);

  /** HBase flushes what it holds in memory, a few hundred MB at most. */
  private static final Duration HBASE_STOP_MAX = Duration.ofMinutes(2);

  private final StoreDirectory store;
  private final ServerState state;

  private EmbeddedServer(StoreDirectory store, ServerState state) {
    this.store = store;
    this.state = state;
  }

  /**
   * Starts what the options ask for and is not running; leaves alone what is.
   *
   * @throws StoreException if a port is taken, a server of this directory runs on another port than
   *     the one given, disk space is short, or a server fails; what this call had started is
   *     stopped again
   */
  public static EmbeddedServer ensureRunning(
      StoreDirectory store, Distribution distribution, ServerOptions options, TableCreation tables)
      throws StoreException, IOException, InterruptedException {
    return store.inTurn(
        TURN_MAX,
        () ->
            new EmbeddedServer(store, new ServerStart(store, distribution, options, tables).run()));
  }

  /** As {@link #ensureRunning}, but refuses a directory that is being served already. */
  public static EmbeddedServer start(
      StoreDirectory store, Distribution distribution, ServerOptions options, TableCreation tables)
      throws StoreException, IOException, InterruptedException {
    return store.inTurn(
        TURN_MAX,
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

  /** What runs over a directory now, perhaps nothing. */
  public static EmbeddedServer look(StoreDirectory store) throws IOException {
    return new EmbeddedServer(store, store.state());
  }

  /** Whether HBase runs; TSDs may be left over without it. */
  public boolean isRunning() {
    return hbase().isAlive();
  }

  /**
   * Stops all servers of a directory, the TSDs first; a store that does not run is left as it is.
   *
   * @return how many processes were stopped
   * @throws StoreException if HBase had to be killed; the next start recovers its data
   */
  public static int stop(StoreDirectory store)
      throws StoreException, IOException, InterruptedException {
    return store.inTurn(TURN_MAX, () -> stopAll(store, store.state()));
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
            "HBase did not end within "
                + HBASE_STOP_MAX.toSeconds()
                + " s and was killed; its data are recovered at the next start; log: "
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

  /** For clients: {@code 127.0.0.1:port}. */
  public String zookeeperQuorum() {
    return "127.0.0.1:" + state.port(ServerState.ZOOKEEPER).orElseThrow();
  }

  /** The HBase process. */
  public ServerProcess hbase() {
    return state.process(ServerState.HBASE);
  }

  /**
   * Where the patched TSD answers, without a trailing slash.
   *
   * @throws IllegalStateException if none is running
   */
  public URI tsdUrl() {
    return tsd(TsdKind.PATCHED)
        .map(Tsd::url)
        .orElseThrow(() -> new IllegalStateException("no patched TSD over " + store.root()));
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
   * @param url where it answers, without a trailing slash
   * @param process its process
   */
  public record Tsd(URI url, ServerProcess process) {}
}
