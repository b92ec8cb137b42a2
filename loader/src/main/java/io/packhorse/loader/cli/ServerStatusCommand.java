package io.packhorse.loader.cli;

import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.load.BuildVersion;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.store.Distribution;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.StoreDirectory;
import io.packhorse.loader.table.hbase.HBaseTables;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code packhorse server status}: looks, changes nothing. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows where the store answers, its processes, versions, sizes and tables.",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample:%n",
    footer = "  packhorse server status --json")
final class ServerStatusCommand implements Callable<Integer> {
  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private final JsonOption json = new JsonOption();

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Optional<StoreDirectory> directory = store.store().find();
    ServerStatus status = directory.isPresent() ? look(directory.get()) : absent();
    json.print(
        spec,
        ExitCode.OK,
        Map.of(),
        status,
        () -> ServerStatusPrinter.print(status, spec.commandLine().getOut()));
    return ExitCode.OK.code();
  }

  private static ServerStatus look(StoreDirectory directory) throws IOException {
    EmbeddedServer server = EmbeddedServer.current(directory);
    boolean running = server.isRunning();
    return new ServerStatus(
        directory.root().toString(),
        true,
        running,
        versions(),
        running ? server.zookeeperQuorum() : "",
        running ? server.hbase().pid() : 0,
        tsds(server),
        directory.hbaseBytes(),
        directory.freeBytes(),
        running ? regions(server.zookeeperQuorum()) : Map.of(),
        directory.log().toString());
  }

  private ServerStatus absent() throws IOException {
    return new ServerStatus(
        store.store().path().toString(),
        false,
        false,
        versions(),
        "",
        0,
        List.of(),
        0,
        0,
        Map.of(),
        "");
  }

  private static Map<String, String> versions() throws IOException {
    Distribution distribution = Distribution.current();
    return new TreeMap<>(
        Map.of(
            "packhorse", BuildVersion.version(),
            "commit", BuildVersion.commit(),
            "hbase", distribution.version("hbase", "hbase-server"),
            "opentsdb", distribution.version("tsd", "opentsdb")));
  }

  private static List<ServerStatus.Tsd> tsds(EmbeddedServer server) {
    return server.tsds().entrySet().stream()
        .map(
            running ->
                new ServerStatus.Tsd(
                    running.getKey().label(),
                    running.getValue().url().toString(),
                    running.getValue().process().pid()))
        .toList();
  }

  private static Map<String, Integer> regions(String zookeeperQuorum) {
    Map<String, Integer> regions = new TreeMap<>();
    try (Cluster cluster = Cluster.connect(zookeeperQuorum, null)) {
      HBaseTables tables = new HBaseTables(cluster.connection());
      for (String table : tables.names()) {
        regions.put(table, tables.regions(table).size());
      }
    } catch (IOException e) {
      throw new OperationException(
          OperationException.Kind.CLUSTER,
          "HBase runs but does not list its tables: " + e.getMessage(),
          e);
    }
    return regions;
  }
}
