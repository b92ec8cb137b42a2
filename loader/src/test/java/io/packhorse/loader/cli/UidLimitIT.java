package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.loader.store.TsdKind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** New names create UIDs up to the limit of the TSD, or of a load, and no more; real HBase. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class UidLimitIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path folder = Path.of("");

  @Test
  void putsCreateNoUidsAboveTheLimit() throws Exception {
    Path config = EmbeddedStoreFixture.shared().store().tsdConfig(TsdKind.PATCHED);
    // A limit of nothing is passed by the first UID of a kind, whose number is not known before.
    String none = Files.readString(config) + "\ntsd.core.uid.create_percent = 0\n";
    try (TsdFixture tsd = TsdFixture.start(TsdKind.PATCHED, folder, none)) {
      assertEquals(1, put(tsd.url(), "a").get("success").asInt());
      assertEquals(1, put(tsd.url(), "a").get("success").asInt(), "its names are known");
      JsonNode refused = put(tsd.url(), "b");
      assertEquals(0, refused.get("success").asInt(), refused.toString());
      assertTrue(refused.toString().contains("tsd.core.uid.create_percent"), refused.toString());
      HttpResponse<String> known =
          HTTP.send(
              HttpRequest.newBuilder(tsd.url().resolve("/api/suggest?type=tagv&q=it-uid-limit-"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals("[\"it-uid-limit-a\"]", known.body());
    }
  }

  @Test
  void aLoadStopsBeforeMoreNewNamesThanAllowed() throws Exception {
    Path points = folder.resolve("points.txt");
    Files.write(points, lines(0, 3));
    // The metric, the tag key and three values.
    assertStopped(points, "4", "'it-limited-0', 'it-limited-1', 'it-limited-2'");
    JsonNode loaded = load(ExitCode.OK, points, "5").get("result");
    assertEquals(3, loaded.get("acknowledged").asLong(), loaded.toString());

    Files.write(points, lines(1, 4));
    assertStopped(points, "0", "'it-limited-3'");
    loaded = load(ExitCode.OK, points, "1").get("result");
    assertEquals(3, loaded.get("acknowledged").asLong(), loaded.toString());
  }

  private static List<String> lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "it.limited 1700000000 " + i + " it-limited=it-limited-" + i)
        .toList();
  }

  private static void assertStopped(Path points, String limit, String names) throws Exception {
    String message =
        load(ExitCode.TOO_MANY_REJECTS, points, limit).get("error").get("message").asText();
    assertTrue(
        message.contains(
            "more than "
                + limit
                + " new names need a UID, the limit of --max-new-names; the next tagv names: "
                + names),
        message);
    assertTrue(message.contains("no job is left to resume"), message);
  }

  private static JsonNode load(ExitCode expected, Path points, String limit) throws Exception {
    return JsonEnvelope.run(
        expected,
        "load",
        "--dir",
        EmbeddedStoreFixture.shared().store().root().toString(),
        "--max-new-names",
        limit,
        points.toString());
  }

  private static JsonNode put(URI tsd, String tag) throws Exception {
    String point =
        """
        [{"metric":"it.uid.limit","timestamp":1700000000,"value":1,"tags":{"it":"it-uid-limit-%s"}}]
        """
            .formatted(tag);
    HttpRequest request =
        HttpRequest.newBuilder(tsd.resolve("/api/put?details"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(point))
            .build();
    return new ObjectMapper()
        .readTree(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}
