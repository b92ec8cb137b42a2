package io.packhorse.loader.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.table.FoundServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** The page of a region server, which has the counters that HBase does not tell its clients. */
final class ServerPage {
  private static final String SERVER = "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /**
   * What a region server has done since its start, for all tables.
   *
   * @param flushes of memory to files
   * @param compactions minor and major ones
   * @param blockedMs how long writes waited, because its memory was full
   * @param blockedRequests refused writes, because a region had too much in memory
   */
  record Counters(long flushes, long compactions, long blockedMs, long blockedRequests) {
    /** What came since then. */
    Counters since(Counters before) {
      return new Counters(
          flushes - before.flushes,
          compactions - before.compactions,
          blockedMs - before.blockedMs,
          blockedRequests - before.blockedRequests);
    }
  }

  private ServerPage() {}

  /** Reads it; empty if it cannot be read, for a page is often shut off or asks for a log-in. */
  static Optional<Counters> read(HttpClient client, FoundServer server)
      throws InterruptedException {
    if (server.webPort() <= 0) {
      return Optional.empty();
    }
    String host = server.name().substring(0, server.name().lastIndexOf(':'));
    try {
      URI page = URI.create("http://" + host + ":" + server.webPort() + SERVER);
      HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      JsonNode bean = new ObjectMapper().readTree(answer.body()).path("beans").path(0);
      return answer.statusCode() == 200 && bean.has("FlushTime_num_ops")
          ? Optional.of(
              new Counters(
                  bean.path("FlushTime_num_ops").asLong(),
                  bean.path("CompactionTime_num_ops").asLong(),
                  bean.path("updatesBlockedTime").asLong(),
                  bean.path("blockedRequestCount").asLong()))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
