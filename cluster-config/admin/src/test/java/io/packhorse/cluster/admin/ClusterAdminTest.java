package io.packhorse.cluster.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClusterAdminTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("packhorse.root"), "cluster-config", "golden");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void checkOfRenderedFilesFindsNoProblems() {
    assertEquals(0, run("check", GOLDEN.resolve("lab-worker").resolve("conf").toString()));
    assertEquals("no problems\n", out.toString());
  }

  @Test
  void checkNamesTheFolderAndExitsWithSix(@TempDir Path empty) {
    assertEquals(6, run("check", empty.toString()));
    assertEquals(empty + ": core-site.xml: missing", out.toString().lines().findFirst().orElse(""));
  }

  @Test
  void aMissingCommandIsAUsageError() {
    assertEquals(2, run());
  }

  @Test
  void balancerIsOnOrOff() {
    assertEquals(2, run("balancer", "half"));
    for (String state : List.of("on", "off")) {
      assertEquals(1, ClusterAdmin.commandLine().parseArgs("balancer", state).subcommands().size());
    }
  }

  @Test
  void movingRegionsNeedsAList() {
    assertEquals(2, run("unload", "worker01"));
  }

  @Test
  void splittingRegionsNeedsAMetricAndATime() {
    assertEquals(2, run("regions"));
    assertEquals(2, run("regions", "split", "--tsd-conf", "none"));
    assertEquals(2, run("regions", "split", "--tsd-conf", "none", "--metric", "m", "--at", "noon"));
  }

  private int run(String... arguments) {
    CommandLine line = ClusterAdmin.commandLine();
    return line.setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
