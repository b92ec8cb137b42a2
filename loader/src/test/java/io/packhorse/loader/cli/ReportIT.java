package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a load shows of itself while it runs, and leaves behind. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ReportIT {
  private static final Pattern PAGE = Pattern.compile("metrics {3}(http://127.0.0.1:\\d+/metrics)");

  @TempDir private Path folder = Path.of("");

  @Test
  void aLoadAnswersPrometheusAndLeavesAReport() throws Exception {
    Path pipe = folder.resolve("points");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path store = EmbeddedStoreFixture.shared().store().root();
    Path jobs = folder.resolve("jobs");
    StringWriter err = new StringWriter();
    CompletableFuture<Integer> load =
        CompletableFuture.supplyAsync(
            () ->
                Packhorse.commandLine()
                    .setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(err, true))
                    .execute(
                        "load",
                        pipe.toString(),
                        "--metrics",
                        "0",
                        "--dir",
                        store.toString(),
                        "--jobs-dir",
                        jobs.toString()));
    try (BufferedWriter points = Files.newBufferedWriter(pipe)) {
      for (int i = 0; i < 7_200; i++) {
        points.write("it.report " + (1_704_067_200 + i) + " " + i + " host=a\n");
      }
      points.flush();
      String metrics = scrape(err, load);
      assertTrue(metrics.contains("# TYPE packhorse_points_total counter"), metrics);
      assertTrue(metrics.contains("packhorse_call_seconds_count"), metrics);
    }
    assertEquals(0, load.get(), err.toString());

    Path job;
    try (var made = Files.list(jobs)) {
      job = made.findFirst().orElseThrow();
    }
    String report = Files.readString(job.resolve("report.html"));
    assertTrue(report.contains("<p>Complete: 7,200 points are in the store.</p>"), report);
    assertTrue(report.contains("<h2>Inputs</h2>"), report);
    assertTrue(report.contains("OpenTSDB import lines"), report);
    assertTrue(report.contains("1: it.report{host=a}"), report);
    assertTrue(report.contains("read 7,200 = packed 7,200 + replaced 0 + rejected 0"), report);
    assertTrue(report.contains("2024-01-01T00:00:00Z to 2024-01-01T01:59:59Z"), report);
    assertTrue(report.contains("Not read back yet. To compare it"), report);
    assertTrue(report.contains("What the threads did"), report);
    assertTrue(report.contains("1 region; the largest got"), report);
    List<String> log = Files.readAllLines(job.resolve("log"));
    assertTrue(log.get(0).contains(" begin Packhorse "), log.toString());
    assertTrue(log.get(log.size() - 2).contains("7,200 points"), log.toString());
    assertTrue(
        log.get(log.size() - 1).endsWith(" Complete: 7,200 points are in the store."),
        log.toString());
    assertTrue(err.toString().contains("report    " + job.resolve("report.html")), err.toString());

    String id = job.getFileName().toString();
    JsonEnvelope.run(
        ExitCode.OK,
        "verify",
        "--job",
        id,
        "--level",
        "counts",
        "--dir",
        store.toString(),
        "--jobs-dir",
        jobs.toString());
    String verified = Files.readString(job.resolve("report.html"));
    assertTrue(
        verified.contains(
            ", the number of points: 7,200 of 7,200 points in the store, and nothing else.</p>"),
        verified);
    assertFalse(verified.contains("Not read back"), verified);
  }

  private static String scrape(StringWriter err, CompletableFuture<Integer> load) throws Exception {
    Matcher page = PAGE.matcher(err.toString());
    while (!page.find()) {
      assertTrue(!load.isDone(), err.toString());
      TimeUnit.MILLISECONDS.sleep(20);
      page = PAGE.matcher(err.toString());
    }
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(page.group(1))).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
