package io.packhorse.loader.cli;

import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.StoreDirectory;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code packhorse server stop}: orderly, so that the next start has nothing to recover. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description =
        "Stops the store's OpenTSDB and HBase; the data stay. Does nothing if neither runs.",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExample:%n",
    footer = "  packhorse server stop --dir /tmp/store")
final class ServerStopCommand implements Callable<Integer> {
  @Mixin private StoreOptions store = new StoreOptions();

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Optional<StoreDirectory> directory = store.store().find();
    int stopped = directory.isPresent() ? EmbeddedServer.stop(directory.get()) : 0;
    out.println(
        stopped == 0
            ? "Nothing runs over " + store.store().path()
            : "Stopped the store in " + store.store().path());
    return ExitCode.OK.code();
  }
}
