package io.packhorse.loader.store;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Starts the servers of a store that are not running. If one fails, or this JVM is terminated
 * meanwhile, the started ones are stopped again. One thread, under the store's command lock.
 */
final class ServerStart {
  private static final int TSD_PORT_DEFAULT = 4242;

  private final StoreDirectory store;
  private final Distribution distribution;
  private final ServerOptions options;
  private final TableCreation tables;
  private final List<ServerProcess> launched = new CopyOnWriteArrayList<>();
  private ServerState state;

  ServerStart(
      StoreDirectory store, Distribution distribution, ServerOptions options, TableCreation tables)
      throws IOException {
    this.store = store;
    this.distribution = distribution;
    this.options = options;
    this.tables = tables;
    this.state = store.state();
  }

  /** Starts what is missing; returns the new state. */
  ServerState run() throws StoreException, IOException, InterruptedException {
    Thread undo = new Thread(() -> launched.forEach(ServerProcess::terminate), "undo-start");
    Runtime.getRuntime().addShutdownHook(undo);
    try {
      startMissing();
    } finally {
      keep(undo);
    }
    return state;
  }

  private void startMissing() throws StoreException, IOException, InterruptedException {
    ServerProcess hbase = state.process(ServerState.HBASE);
    boolean hbaseRan = hbase.isAlive();
    try {
      if (hbaseRan) {
        checkPort("ZooKeeper", options.zookeeperPort(), ServerState.ZOOKEEPER);
        // The command that started it may have been killed before it was up.
        HBaseServer.await(store, hbase);
      } else {
        EmbeddedServer.stopAll(store, state);
        startHBase();
      }
      startTsds(!hbaseRan);
    } catch (StoreException | IOException | InterruptedException | RuntimeException e) {
      if (!hbaseRan) {
        undo(e);
      }
      throw e;
    }
  }

  private void undo(Exception reason) throws InterruptedException {
    try {
      EmbeddedServer.stopAll(store, state);
    } catch (StoreException e) {
      reason.addSuppressed(e);
    }
  }

  private void startHBase() throws StoreException, IOException, InterruptedException {
    store.checkFreeSpace();
    choosePort("ZooKeeper", options.zookeeperPort(), ServerState.ZOOKEEPER);
    choosePort("HBase master", OptionalInt.empty(), ServerState.MASTER);
    choosePort("region server", OptionalInt.empty(), ServerState.REGION_SERVER);
    for (TsdKind kind : options.tsds()) {
      // Fails here, before anything is started.
      distribution.classPath(kind.libraries());
      chooseTsdPort(kind);
    }
    JavaCommand command =
        HBaseServer.command(store, distribution, state, options.tiedToThisProcess());
    HBaseServer.forgetStatus(store);
    ServerProcess process = launch(ServerState.HBASE, command);
    HBaseServer.await(store, process);
  }

  private void startTsds(boolean fresh) throws StoreException, IOException, InterruptedException {
    int zookeeperPort = state.port(ServerState.ZOOKEEPER).orElseThrow();
    if (fresh || noTsdRuns()) {
      createTables(zookeeperPort);
    }
    for (TsdKind kind : TsdKind.values()) {
      if (!options.tsds().contains(kind)) {
        continue;
      }
      if (state.process(kind.id()).isAlive()) {
        checkPort("the TSD's", options.port(kind), kind.id());
        continue;
      }
      chooseTsdPort(kind);
      int port = state.port(kind.id()).orElseThrow();
      JavaCommand command =
          TsdServer.command(store, distribution, kind, zookeeperPort, port, options.tsdHeapMib());
      TsdServer.await(store, kind, launch(kind.id(), command), port);
    }
  }

  private boolean noTsdRuns() {
    return Stream.of(TsdKind.values()).noneMatch(kind -> state.process(kind.id()).isAlive());
  }

  private void createTables(int zookeeperPort) throws StoreException {
    try {
      tables.createMissing("127.0.0.1:" + zookeeperPort);
    } catch (IOException e) {
      throw StoreException.failed(
          "HBase did not create the tables: "
              + e.getMessage()
              + "; log: "
              + store.log(ServerState.HBASE));
    }
  }

  private void chooseTsdPort(TsdKind kind) throws StoreException {
    boolean first = kind == TsdKind.PATCHED && state.port(kind.id()).isEmpty();
    OptionalInt last = first ? OptionalInt.of(TSD_PORT_DEFAULT) : state.port(kind.id());
    choosePort(kind.label() + " TSD", options.port(kind), last, kind.id());
  }

  private void choosePort(String what, OptionalInt wanted, String name) throws StoreException {
    choosePort(what, wanted, state.port(name), name);
  }

  private void choosePort(String what, OptionalInt wanted, OptionalInt last, String name)
      throws StoreException {
    Set<Integer> reserved = new HashSet<>(state.ports());
    reserved.addAll(options.ports());
    OptionalInt free = options.unlessGiven(last);
    state = state.with(name, Ports.choose(what, wanted, free, reserved));
  }

  private void checkPort(String what, OptionalInt wanted, String name) throws StoreException {
    OptionalInt actual = state.port(name);
    if (wanted.isPresent() && !wanted.equals(actual)) {
      throw StoreException.refused(
          store.root()
              + " is in use by a running server with "
              + what
              + " port "
              + actual.orElse(0)
              + ", not "
              + wanted.getAsInt()
              + "; stop it first with: packhorse server stop --dir "
              + store.root());
    }
  }

  /** Saves the process before it is up, so that a later command finds it in any case. */
  private ServerProcess launch(String name, JavaCommand command) throws IOException {
    ServerProcess process = command.start(store.output(name));
    launched.add(process);
    state = state.with(name, process);
    store.save(state);
    return process;
  }

  private static void keep(Thread undo) {
    try {
      Runtime.getRuntime().removeShutdownHook(undo);
    } catch (IllegalStateException endingNow) {
      // The hook is running already, and stops what was started.
    }
  }
}
