package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import net.opentsdb.tsd.RunningTsd.Answer;
import net.opentsdb.utils.Config;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A TSD with {@code tsd.mode=ro}, all other switches on: it writes nothing. */
@Timeout(60)
final class ReadOnlyTsdTest {
  @TempDir private static Path home = Path.of("");
  private static RunningTsd tsd;

  @BeforeAll
  static void start() throws IOException {
    tsd =
        RunningTsd.start(
            home,
            Map.of(
                "tsd.mode", "ro",
                "tsd.http.query.allow_delete", "true",
                "tsd.storage.enable_compaction", "true",
                "tsd.storage.repair_appends", "true",
                "tsd.core.auto_create_metrics", "true",
                "tsd.http.allow_uid_assign", "true",
                "tsd.http.allow_uid_rename", "true",
                "tsd.http.allow_meta_writes", "true",
                "tsd.http.allow_annotation_writes", "true",
                "tsd.http.allow_tree_writes", "true"));
  }

  @AfterAll
  static void stop() {
    tsd.close();
  }

  static Stream<String> writes() {
    return Stream.of(
        "POST /api/put",
        "POST /api/rollup",
        "POST /api/histogram",
        "POST /api/uid/assign",
        "POST /api/uid/rename",
        "PUT /api/uid/uidmeta",
        "DELETE /api/uid/tsmeta",
        "POST /api/annotation",
        "DELETE /api/annotation/bulk",
        "POST /api/tree",
        "DELETE /api/query?start=1h-ago&m=sum:walk");
  }

  @ParameterizedTest
  @MethodSource("writes")
  void refusesEachWayToWrite(String request) throws IOException {
    String[] words = request.split(" ", -1);
    Answer answer =
        tsd.send(words[0], words[1], TsdAttackTest.bytes("[]"), "Content-Type: application/json");
    assertEquals(403, answer.status(), answer.body());
    assertTrue(answer.body().contains("tsd.mode=ro"), answer.body());
  }

  @Test
  void deletesNothingThatABodyAsksFor() throws IOException {
    Answer answer =
        tsd.send(
            "POST",
            "/api/query",
            TsdAttackTest.bytes(TsdAttackTest.DELETE),
            "Content-Type: application/json");
    assertEquals(403, answer.status(), answer.body());
    assertTrue(answer.body().contains("tsd.mode=ro"), answer.body());
  }

  @Test
  void knowsNoTelnetCommandThatWrites() throws IOException {
    for (String command : new String[] {"put", "rollup", "histogram"}) {
      String line = command + " sys.cpu 1700000000 1 host=a\nexit\n";
      String answer = tsd.exchange(line.getBytes(StandardCharsets.US_ASCII));
      assertTrue(answer.startsWith("unknown command: " + command), answer);
    }
  }

  @Test
  void writesNothingByItself() {
    Config config = tsd.tsdb().getConfig();
    assertFalse(config.enable_compactions());
    assertFalse(config.repair_appends());
    assertFalse(config.auto_metric());
    assertFalse(config.auto_tagk());
    assertFalse(config.auto_tagv());
    assertFalse(config.enable_tsuid_tracking());
    assertFalse(config.enable_tsuid_incrementing());
    assertFalse(config.getBoolean("tsd.http.query.allow_delete"));
  }
}
