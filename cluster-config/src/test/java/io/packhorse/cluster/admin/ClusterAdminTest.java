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
  void checkOfRenderedFilesIsFine() {
    assertEquals(0, run("check", GOLDEN.resolve("lab-worker").resolve("conf").toString()));
    assertEquals("fine\n", out.toString());
  }

  @Test
  void checkNamesTheFolderAndEndsWithSix(@TempDir Path empty) {
    assertEquals(6, run("check", empty.toString()));
    assertEquals(empty + ": core-site.xml: missing", out.toString().lines().findFirst().orElse(""));
  }

  @Test
  void withoutACommandItIsUsage() {
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

  private int run(String... arguments) {
    CommandLine line = ClusterAdmin.commandLine();
    return line.setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
