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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Points with new names create UIDs up to the limit of the TSD and no more; real HBase. */
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
