package io.packhorse.cluster.admin;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code balancer on|off}: turns HBase's balancer on or off. */
@Command(
    name = "balancer",
    mixinStandardHelpOptions = true,
    description = "Turns HBase's balancer on or off, and waits for running moves.")
final class BalancerCommand implements Callable<Integer> {
  enum State {
    ON,
    OFF
  }

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "on|off", description = "The new state.")
  private State state = State.ON;

  @Override
  public Integer call() throws IOException {
    try (Connection connection = HBaseClient.connect();
        Admin admin = connection.getAdmin()) {
      boolean was = admin.balancerSwitch(state == State.ON, true);
      spec.commandLine().getOut().println(was == (state == State.ON) ? "unchanged" : "changed");
      return 0;
    }
  }
}
