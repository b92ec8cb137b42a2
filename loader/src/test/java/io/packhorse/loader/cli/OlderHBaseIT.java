package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.StoreDirectory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The loader, with its own client, and a patched TSD over a server of an older HBase, whose version
 * is {@code hbase.older.version} in the root's {@code pom.xml}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class OlderHBaseIT {
  @TempDir private Path folder = Path.of("");

  @Test
  void whatIsLoadedIsVerifiedQueriedAndRolledBack() throws Exception {
    Path store = folder.resolve("store");
    EmbeddedServer server = EmbeddedStoreFixture.startOlder(StoreDirectory.open(store));
    try {
      for (String sink : List.of("puts", "hfiles")) {
        Path file = Files.write(folder.resolve(sink + ".txt"), lines("it.older." + sink));
        run(store, ExitCode.OK, "load", file.toString(), "--sink", sink, "--job", sink);
        run(store, ExitCode.OK, "verify", "--job", sink);
        byte[] answer =
            new TsdClient(server.tsdUrl())
                .raw(1_704_067_200_000L, 1_704_070_799_000L, "sum:1h-count:it.older." + sink);
        String points = new String(answer, StandardCharsets.UTF_8);
        assertTrue(points.contains(":360.0"), points);
      }
      String file = folder.resolve("puts.txt").toString();
      String[] unlogged = {"load", file, "--durability", "skip", "--allow-duplicate-input"};
      assertTrue(run(store, ExitCode.PREFLIGHT, unlogged).contains("needs HBase 2.6.0 or later"));
      assertTrue(run(store, ExitCode.OK, "summary", "verify").contains("all agree"));
      String said = run(store, ExitCode.OK, "job", "rollback", "--yes", "hfiles");
      assertTrue(said.contains("3 cells of job hfiles deleted"), said);
    } finally {
      EmbeddedServer.stop(StoreDirectory.open(store));
    }
  }

  private static List<String> lines(String metric) {
    return IntStream.range(0, 1080)
        .mapToObj(i -> metric + " " + (1_704_067_200 + 10 * i) + " " + i + " host=a")
        .toList();
  }

  private static String run(Path store, ExitCode expected, String... command) {
    StringWriter said = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of("--dir", store.toString()));
    int code =
        Packhorse.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(arguments.toArray(String[]::new));
    assertEquals(expected.code(), code, () -> arguments + ": " + said);
    return said.toString();
  }
}
