package io.packhorse.loader.loadtest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.packhorse.loader.loadtest.LoadTestResult.Judged;
import io.packhorse.loader.report.TestReport;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The files of a load test: each second as it ends, so that they are there if the process is
 * killed, and the result. One thread.
 *
 * <pre>
 *   seconds.csv         a line a second and kind of call
 *   NAME-response.hlog  times from the intended moment on, in microseconds, as HdrHistogram's logs
 *   NAME-service.hlog   times from sending on
 *   result.json         the result
 *   report.html         verdict, figures and charts, every few seconds while it runs; needs no
 *                       network and no script
 *   junit.xml           a test case for each limit, and one for the answers
 * </pre>
 */
final class TestFiles implements Closeable {
  static final String RESULT = "result.json";
  static final String REPORT = "report.html";

  /** A long test has a report to write about so many times more. */
  private static final int REPORTS = 60;

  private final Path folder;
  private final List<CallStats> stats;
  private final BufferedWriter seconds;
  private final List<PrintStream> streams = new ArrayList<>();
  private final List<HistogramLogWriter> logs = new ArrayList<>();
  private final long startMs = System.currentTimeMillis();
  private final TestCharts charts = new TestCharts();
  private double nextReport;

  TestFiles(Path folder, List<CallStats> stats) throws IOException {
    this.folder = folder;
    this.stats = stats;
    seconds = Files.newBufferedWriter(folder.resolve("seconds.csv"), StandardCharsets.UTF_8);
    seconds.write(
        "second,kind,intended,done,dropped,errors,response_p50_ms,response_p99_ms,response_max_ms,"
            + "service_p99_ms\n");
    for (CallStats of : stats) {
      for (String kind : List.of("response", "service")) {
        PrintStream stream =
            new PrintStream(
                Files.newOutputStream(folder.resolve(of.name() + "-" + kind + ".hlog")),
                true,
                StandardCharsets.UTF_8);
        streams.add(stream);
        HistogramLogWriter log = new HistogramLogWriter(stream);
        log.outputLogFormatVersion();
        log.outputStartTime(startMs);
        log.outputLegend();
        logs.add(log);
      }
    }
  }

  /**
   * Writes what was seen since the last call.
   *
   * @param second after the start of the test
   * @return response time of 99 % of the writes, milliseconds
   */
  double second(double second) throws IOException {
    double p99 = 0;
    for (int i = 0; i < stats.size(); i++) {
      CallStats of = stats.get(i);
      CallStats.Interval interval = of.sinceLast();
      log(logs.get(2 * i), interval.response());
      log(logs.get(2 * i + 1), interval.service());
      Histogram response = interval.response();
      seconds.write(
          String.format(
              Locale.ROOT,
              "%.1f,%s,%d,%d,%d,%d,%.3f,%.3f,%.3f,%.3f%n",
              second,
              of.name(),
              of.intended(),
              of.done(),
              of.dropped(),
              of.errors().values().stream().mapToLong(Long::longValue).sum(),
              response.getValueAtPercentile(50) / 1000.0,
              response.getValueAtPercentile(99) / 1000.0,
              response.getMaxValue() / 1000.0,
              interval.service().getValueAtPercentile(99) / 1000.0));
      charts.add(i, second, of, interval);
      if (i == 0) {
        p99 = response.getValueAtPercentile(99) / 1000.0;
      }
    }
    seconds.flush();
    return p99;
  }

  /**
   * Writes the report of a test that runs, seldom enough that it costs nothing.
   *
   * @param second after the start of the test
   * @param share of the test that is over, 0 to 1
   */
  void running(double second, double share, Supplier<LoadTestResult> soFar) throws IOException {
    if (second >= nextReport) {
      report(charts.running(soFar.get(), share));
      nextReport = second + Math.max(TestCharts.REFRESH_SECONDS, second / REPORTS);
    }
  }

  /** In one step: a browser never sees a half. */
  private void report(TestReport report) throws IOException {
    Path next = folder.resolve("report.html.tmp");
    Files.writeString(next, report.html());
    Files.move(next, folder.resolve(REPORT), StandardCopyOption.ATOMIC_MOVE);
  }

  private void log(HistogramLogWriter to, Histogram interval) {
    to.outputIntervalHistogram(
        (interval.getStartTimeStamp() - startMs) / 1000.0,
        (interval.getEndTimeStamp() - startMs) / 1000.0,
        interval,
        1);
  }

  /** Writes the result. */
  void write(LoadTestResult result) throws IOException {
    report(charts.report(result));
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(folder.resolve(RESULT).toFile(), result.json());
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    long missed = result.judged().stream().filter(each -> !each.kept()).count();
    boolean wrong = result.wrong() > 0;
    boolean invalid = !result.invalid().isEmpty();
    xml.append(
        String.format(
            Locale.ROOT,
            "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.1f\">%n",
            result.workload().name(),
            result.judged().size() + 1,
            missed + (wrong ? 1 : 0),
            invalid ? 1 : 0,
            result.seconds()));
    for (Judged each : result.judged()) {
      testCase(xml, each.limit().text(), each.kept() ? "" : "failure", "found " + each.figure());
    }
    testCase(
        xml,
        "every checked answer is right",
        wrong ? "failure" : invalid ? "error" : "",
        wrong ? String.join("; ", result.examples()) : result.invalid());
    Files.writeString(folder.resolve("junit.xml"), xml.append("</testsuite>\n"));
  }

  private static void testCase(StringBuilder xml, String name, String outcome, String message) {
    xml.append("  <testcase classname=\"loadtest\" name=\"").append(escaped(name)).append("\"");
    if (outcome.isEmpty()) {
      xml.append("/>\n");
    } else {
      xml.append("><").append(outcome).append(" message=\"").append(escaped(message));
      xml.append("\"/></testcase>\n");
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  @Override
  public void close() throws IOException {
    streams.forEach(PrintStream::close);
    seconds.close();
  }
}
