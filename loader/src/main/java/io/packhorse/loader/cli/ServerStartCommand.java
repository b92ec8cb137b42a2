package io.packhorse.loader.cli;

import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.ServerOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code packhorse server start}: returns once queries are answered. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Starts HBase and OpenTSDB over a directory, and returns once they answer.",
      "Servers that run already are left as they are. Everything listens on 127.0.0.1 only."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample:%n",
    footer = {
      "  packhorse server start --dir /tmp/store",
      "  packhorse server start --tsd both      also an unpatched OpenTSDB, to compare"
    })
final class ServerStartCommand implements Callable<Integer> {
  private static final int TSD_HEAP_MIB_MIN = 128;

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--zookeeper-port",
      paramLabel = "N",
      description = "Port for HBase clients. Default: as last time, or a free one.")
  private @Nullable Integer zookeeperPort;

  @Option(
      names = "--tsd-port",
      paramLabel = "N",
      description = "OpenTSDB's port. Default: as last time, or 4242, or a free one.")
  private @Nullable Integer tsdPort;

  @Option(
      names = "--stock-tsd-port",
      paramLabel = "N",
      description = "The unpatched OpenTSDB's port. Default: as last time, or a free one.")
  private @Nullable Integer stockTsdPort;

  @Option(
      names = "--tsd",
      paramLabel = "KIND",
      defaultValue = "patched",
      description = {
        "Which OpenTSDB runs: patched, stock, both or none. Default: patched.",
        "The stock one does not see packed cells, and gives no warning.",
        "After none, the next command that opens the store starts the patched one."
      })
  private TsdChoice tsd = TsdChoice.PATCHED;

  @Option(
      names = "--tsd-heap",
      paramLabel = "MIB",
      description = "Heap of each OpenTSDB, MiB. Default: by the memory of the machine.")
  private @Nullable Integer tsdHeap;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    ServerOptions options =
        new ServerOptions(
            port("--zookeeper-port", zookeeperPort),
            port("--tsd-port", tsdPort),
            port("--stock-tsd-port", stockTsdPort),
            tsd.kinds(),
            heap(),
            false);
    refuseTheSamePort(options);
    spec.commandLine().getErr().println("Starting the store in " + store.store().path());
    EmbeddedServer server = store.store().ensureRunning(options);
    PrintWriter out = spec.commandLine().getOut();
    server
        .tsds()
        .forEach(
            (kind, running) -> out.printf("OpenTSDB   %s (%s)%n", running.url(), kind.label()));
    out.printf("ZooKeeper  %s%n", server.zookeeperQuorum());
    out.printf("Stop with  packhorse server stop --dir %s%n", server.store().root());
    return ExitCode.OK.code();
  }

  private void refuseTheSamePort(ServerOptions options) {
    List<Integer> given =
        Stream.of(options.zookeeperPort(), options.tsdPort(), options.stockTsdPort())
            .flatMapToInt(OptionalInt::stream)
            .boxed()
            .toList();
    if (Set.copyOf(given).size() < given.size()) {
      throw new ParameterException(spec.commandLine(), "Each server needs a port of its own.");
    }
  }

  private OptionalInt heap() {
    if (tsdHeap == null) {
      return OptionalInt.empty();
    }
    if (tsdHeap < TSD_HEAP_MIB_MIN) {
      throw new ParameterException(
          spec.commandLine(),
          "--tsd-heap must be at least " + TSD_HEAP_MIB_MIN + " MiB: " + tsdHeap);
    }
    return OptionalInt.of(tsdHeap);
  }

  private OptionalInt port(String name, @Nullable Integer given) {
    if (given == null) {
      return OptionalInt.empty();
    }
    if (given < 1 || given > 65_535) {
      throw new ParameterException(
          spec.commandLine(), name + " must be a port, 1 to 65535: " + given);
    }
    return OptionalInt.of(given);
  }
}
