package io.packhorse.loader.inch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * A server that takes line protocol over HTTP as InfluxDB does. Any number of threads.
 *
 * @param host {@code http://HOST:PORT}
 * @param version2 whether points go to {@code /api/v2/write}
 * @param authorization header; empty for none
 * @param write parameters of a write, {@code db=stress&precision=ns}
 * @param gzip whether bodies are compressed
 * @param tenants how many there are, which writes name in turn; 0 for none
 */
public record InchTarget(
    URI host,
    boolean version2,
    Optional<String> authorization,
    String write,
    boolean gzip,
    int tenants) {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  /** An answer. */
  public record Answer(int status, String body) {
    /** Whether the points were taken. */
    boolean isGood() {
      return status == 204;
    }

    /** Whether the same request may be taken later. */
    boolean isForNow() {
      return status >= 500 || status == 429;
    }

    @Override
    public String toString() {
      return "status " + status + (body.isEmpty() ? "" : ": " + body.strip());
    }
  }

  /** The header for a user. */
  public static String basic(String user, String password) {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** Parameters of a URL: names and values in turn; those without a value are left out. */
  public static String parameters(String... namesAndValues) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (!namesAndValues[i + 1].isEmpty()) {
        all.append(all.isEmpty() ? "" : "&").append(namesAndValues[i]).append('=');
        all.append(URLEncoder.encode(namesAndValues[i + 1], StandardCharsets.UTF_8));
      }
    }
    return all.toString();
  }

  /** Whether anything answers. */
  public void ping() throws IOException, InterruptedException {
    send(HttpRequest.newBuilder(host.resolve("/ping")));
  }

  /** Runs a statement, such as the one that creates the database. */
  public Answer query(String statement) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(host.resolve("/query"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(parameters("q", statement))));
  }

  /**
   * Writes lines.
   *
   * @param number of the request, by which its tenant is chosen
   */
  public Answer write(byte[] lines, long number) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(host.resolve((version2 ? "/api/v2/write?" : "/write?") + write))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofByteArray(gzip ? compressed(lines) : lines));
    if (gzip) {
      request.header("Content-Encoding", "gzip");
    }
    if (tenants > 0) {
      request.header("X-Influxdb-Host", "tenant" + number % tenants + ".example.com");
    }
    return send(request);
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    authorization.ifPresent(each -> request.header("Authorization", each));
    HttpResponse<String> answer =
        CLIENT.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
    return new Answer(answer.statusCode(), answer.body());
  }

  private static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
