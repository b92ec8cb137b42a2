package io.packhorse.loader.load;

import io.packhorse.loader.job.Job;
import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.ReceiverStatus;
import io.packhorse.loader.receive.net.ReceiverServer;
import io.packhorse.loader.receive.net.ServerCounts;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a receiver tells its operators. Any number of threads. */
final class ReceiverPage implements ReceiverStatus {
  private final long startedMs = System.currentTimeMillis();
  private final CurrentIntake intake;
  private final long logBytesMax;
  private volatile @Nullable ReceiverServer server;
  private volatile @Nullable LogFeed feed;
  private volatile String jobId;
  private volatile String away = "The store has not been reached yet.";
  private volatile long leftBytes;

  /** Of what operators were told, without its numbers; empty while the store is there. */
  private String told = "";

  /**
   * @param jobId of the first job
   */
  ReceiverPage(CurrentIntake intake, long logBytesMax, String jobId) {
    this.intake = intake;
    this.logBytesMax = logBytesMax;
    this.jobId = jobId;
  }

  void serve(ReceiverServer by) {
    server = by;
  }

  /** Something reads the log of a job and stores it. */
  void stores(LogFeed by, Job job) {
    feed = by;
    jobId = job.manifest().id();
  }

  /**
   * Nothing is stored now, and the log takes what arrives.
   *
   * @return whether operators were not told so yet
   */
  synchronized boolean isNewlyAway(String why) {
    away = why;
    String kind = why.replaceAll("[0-9]+", "");
    boolean isNew = !kind.equals(told);
    told = kind;
    return isNew;
  }

  /**
   * Points are stored again, or for the first time.
   *
   * @return whether operators were told that they are not
   */
  synchronized boolean isBack() {
    boolean wasTold = !told.isEmpty();
    told = "";
    away = "";
    return wasTold;
  }

  /** Logs of earlier receivers, which are stored first, have so many bytes. */
  void left(long bytes) {
    leftBytes = bytes;
  }

  /** Whether what arrives now is not stored now. */
  boolean isBehind() {
    return !away.isEmpty() || leftBytes > 0;
  }

  private long logBytes() {
    return intake.logBytes() + leftBytes;
  }

  @Override
  public String text() {
    StringBuilder text = new StringBuilder("packhorse receive, job " + jobId + "\n\n");
    line(text, "points taken", HumanNumbers.count(intake.points()));
    line(text, "rejected", HumanNumbers.count(intake.rejected()));
    if (unwrittenRejects() > 0) {
      line(
          text,
          "rejected and only counted, rejects.tsv is full",
          HumanNumbers.count(unwrittenRejects()));
    }
    line(text, "left out", HumanNumbers.count(leftOut()));
    line(text, "points of complete hours in HBase, this job", HumanNumbers.count(stored()));
    line(text, "points can be queried that are older than", visibleAge() + " s");
    line(
        text,
        "log",
        HumanNumbers.bytes((double) logBytes())
            + " of "
            + HumanNumbers.bytes((double) logBytesMax));
    if (leftBytes > 0) {
      line(text, "of earlier receivers, stored first", HumanNumbers.bytes((double) leftBytes));
    }
    line(text, "store", away.isEmpty() ? "reached" : "AWAY, NOTHING IS STORED NOW: " + away);
    ReceiverServer by = server;
    if (by != null) {
      line(text, "connections", HumanNumbers.count(by.counts().connections()));
      by.counts()
          .answers()
          .forEach((key, count) -> line(text, "answers " + key, HumanNumbers.count(count)));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-44s %s%n", name, value));
  }

  private long stored() {
    LogFeed by = feed;
    return by == null ? 0 : by.acknowledged();
  }

  private long leftOut() {
    LogFeed by = feed;
    return by == null ? 0 : by.leftOut();
  }

  private long unwrittenRejects() {
    LogFeed by = feed;
    return by == null ? 0 : by.unwrittenRejects();
  }

  /** Seconds since all points of a moment could be queried; since the start at most. */
  private long visibleAge() {
    LogFeed by = feed;
    long until = by == null ? 0 : by.visibleUntilMs();
    return (System.currentTimeMillis() - Math.max(startedMs, until)) / 1000;
  }

  @Override
  public String metrics() {
    StringBuilder page = new StringBuilder();
    add(page, "points_total", "counter", "Points taken.", intake.points());
    add(page, "rejected_total", "counter", "Records and fields rejected.", intake.rejected());
    add(
        page,
        "stored_points",
        "gauge",
        "Points of complete hours that HBase has acknowledged in this run of the job.",
        stored());
    add(page, "left_out_values", "gauge", "Values that the rules leave out.", leftOut());
    add(
        page,
        "visible_age_seconds",
        "gauge",
        "Points that came before this time can be queried.",
        visibleAge());
    add(page, "log_bytes", "gauge", "Bytes of the log.", logBytes());
    add(
        page,
        "left_log_bytes",
        "gauge",
        "Bytes of the logs of earlier receivers, which are stored first.",
        leftBytes);
    add(page, "log_bytes_max", "gauge", "Limit of the log.", logBytesMax);
    add(page, "store_away", "gauge", "1 while nothing is stored.", away.isEmpty() ? 0 : 1);
    ReceiverServer by = server;
    if (by != null) {
      ServerCounts counts = by.counts();
      add(page, "connections", "gauge", "Open connections.", counts.connections());
      add(
          page,
          "refused_connections_total",
          "counter",
          "Connections over the limit.",
          counts.refusedConnections());
      add(
          page,
          "timed_out_connections_total",
          "counter",
          "Connections that were silent, or whose request did not arrive in time.",
          counts.timedOutConnections());
      add(page, "request_bytes", "gauge", "Bytes of requests in memory.", by.memoryBytes());
      head(page, "answer_seconds", "histogram", "Time to answer requests with points.");
      page.append(counts.answerTimes().samples("packhorse_receive_answer_seconds"));
      head(page, "answers_total", "counter", "Answers by protocol and status.");
      counts
          .answers()
          .forEach(
              (key, count) -> {
                String[] words = key.split(" ", 2);
                page.append(
                    String.format(
                        Locale.ROOT,
                        "packhorse_receive_answers_total{protocol=\"%s\",status=\"%s\"} %d\n",
                        words[0],
                        words[1],
                        count));
              });
    }
    return page.toString();
  }

  private static void add(StringBuilder page, String name, String type, String help, long value) {
    head(page, name, type, help);
    page.append("packhorse_receive_").append(name).append(' ').append(value).append('\n');
  }

  private static void head(StringBuilder page, String name, String type, String help) {
    page.append("# HELP packhorse_receive_").append(name).append(' ').append(help).append('\n');
    page.append("# TYPE packhorse_receive_").append(name).append(' ').append(type).append('\n');
  }

  @Override
  public String problem() {
    return logBytes() >= logBytesMax - ReceiverLog.segmentBytes(logBytesMax)
        ? "the log is nearly full" + (away.isEmpty() ? "" : ": " + away)
        : "";
  }

  @Override
  public String readiness() {
    return "ready for writes" + (away.isEmpty() ? "" : "; nothing is stored now: " + away);
  }

  @Override
  public String version() {
    return BuildVersion.text();
  }
}
