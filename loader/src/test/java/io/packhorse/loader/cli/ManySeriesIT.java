package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More series in one answer than a Deferred takes callbacks; stock never gives such an answer. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ManySeriesIT {
  private static final int SERIES = 20_000;
  private static final long START_S = 1_704_067_200;

  @ParameterizedTest
  @ValueSource(strings = {"packed", "compacted"})
  void answersHaveAllOfThem(String cells) throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    String metric = "it.many." + cells;
    String options =
        "loadtest fill --dir %s --metric %s --sensors %d --interval 1h --span 1h --cells %s"
            .formatted(server.store().root(), metric, SERIES, cells);
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(options.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());

    for (String aggregator : List.of("sum", "none")) {
      String target =
          "/api/query?start=%d&end=%d&m=%s:%s%%7Bsensor=*%%7D"
              .formatted(START_S, START_S + 3_600, aggregator, metric);
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(server.tsdUrl() + target)).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      TreeMap<String, Integer> points = new TreeMap<>();
      for (JsonNode series : new ObjectMapper().readTree(answer.body())) {
        String sensor = series.get("tags").get("sensor").asText();
        points.merge(sensor, series.get("dps").size(), Integer::sum);
      }
      assertEquals(SERIES, points.size());
      assertTrue(points.values().stream().allMatch(count -> count == 1), points.toString());
    }
  }
}
