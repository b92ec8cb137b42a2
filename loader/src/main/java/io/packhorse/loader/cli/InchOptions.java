package io.packhorse.loader.cli;

import io.packhorse.loader.inch.InchLines;
import io.packhorse.loader.inch.InchReport;
import io.packhorse.loader.inch.InchTarget;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code loadtest inch} writes, and where, in inch's own words. */
final class InchOptions {
  /** How inch names units of time. */
  enum Precision {
    ns(1),
    u(1_000),
    ms(1_000_000),
    s(1_000_000_000),
    m(60_000_000_000L),
    h(3_600_000_000_000L);

    private final long nanos;

    Precision(long nanos) {
      this.nanos = nanos;
    }
  }

  /** How many replicas of a cluster must have a write. */
  enum Consistency {
    any,
    quorum,
    one,
    all
  }

  @Option(
      names = "-host",
      paramLabel = "URL",
      defaultValue = "http://localhost:8086",
      description = "The server (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private URI host;

  @Option(names = "-user", paramLabel = "NAME", description = "Its user.")
  private @Nullable String user;

  @Option(names = "-password", paramLabel = "WORD", description = "Its password.")
  private @Nullable String password;

  @Option(names = "-v2", description = "Write to /api/v2/write; -db is the bucket.")
  private boolean version2;

  @Option(names = "-token", paramLabel = "WORD", description = "Its token.")
  private @Nullable String token;

  @Option(
      names = "-db",
      paramLabel = "NAME",
      defaultValue = "stress",
      description = "Database to write to (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String database;

  @Option(
      names = "-rp",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Retention policy to write to.")
  @SuppressWarnings("NullAway.Init")
  private String retentionPolicy;

  @Option(
      names = "-shard-duration",
      paramLabel = "TIME",
      defaultValue = "7d",
      description = "Of the database that is created (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String shardDuration;

  @Option(names = "-no-setup", description = "Do not create the database.")
  private boolean noSetUp;

  @Option(
      names = "-consistency",
      paramLabel = "KIND",
      defaultValue = "any",
      description = "any, quorum, one or all (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Consistency consistency;

  @Option(
      names = "-precision",
      paramLabel = "UNIT",
      defaultValue = "ns",
      description = "Of times: ns, u, ms, s, m or h (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Precision precision;

  @Option(names = "-gzip", description = "Compress requests.")
  private boolean gzip;

  @Option(
      names = "-vhosts",
      paramLabel = "N",
      defaultValue = "0",
      description = "Write as so many tenants in turn, by header X-Influxdb-Host.")
  private int tenants;

  @Option(
      names = "-m",
      paramLabel = "N",
      defaultValue = "1",
      description = "Measurements (default: ${DEFAULT-VALUE}).")
  private int measurements;

  @Option(
      names = "-t",
      paramLabel = "N,N,...",
      split = ",",
      defaultValue = "10,10,10",
      description = "How many values each tag has; series are all of them (default: 10,10,10).")
  @SuppressWarnings("NullAway.Init")
  private List<Integer> tags;

  @Option(
      names = "-p",
      paramLabel = "N",
      defaultValue = "100",
      description = "Points per series (default: ${DEFAULT-VALUE}).")
  private int points;

  @Option(
      names = "-f",
      paramLabel = "N",
      defaultValue = "1",
      description = "Fields per point (default: ${DEFAULT-VALUE}).")
  private int fields;

  @Option(
      names = "-field-prefix",
      paramLabel = "TEXT",
      defaultValue = "v",
      description = "Names of fields begin with it (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private String fieldPrefix;

  @Option(names = "-one-field-per-line", description = "Each field has a line of its own.")
  private boolean oneFieldPerLine;

  @Option(names = "-randomize-fields", description = "Any integer from 0 to 9999 as a value.")
  private boolean random;

  @Option(names = "-constant-fields", description = "0 as a value, always.")
  private boolean constant;

  @Option(
      names = "-b",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Points a request (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "-time",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = GoDuration.class,
      description =
          "Span that all points are spread over; -24h ends now. Default: points have no time, and"
              + " the server's is theirs.")
  @SuppressWarnings("NullAway.Init")
  private Duration span;

  @Option(
      names = "-start-time",
      paramLabel = "TIME",
      description = "Of the first point, 2025-01-01T00:00:00Z; with -time. Default: now.")
  private @Nullable Instant start;

  @Option(names = "-report-host", paramLabel = "URL", description = "Write figures to this server.")
  private @Nullable URI reportHost;

  @Option(names = "-report-user", paramLabel = "NAME", description = "Its user.")
  private @Nullable String reportUser;

  @Option(names = "-report-password", paramLabel = "WORD", description = "Its password.")
  private @Nullable String reportPassword;

  @Option(
      names = "-report-tags",
      paramLabel = "K=V,...",
      split = ",",
      description = "Tags of these figures.")
  private Map<String, String> reportTags = new LinkedHashMap<>();

  InchLines lines() {
    if (random && constant) {
      throw new IllegalArgumentException(
          "-randomize-fields and -constant-fields exclude each other");
    }
    InchLines.Values values =
        random ? InchLines.Values.RANDOM : constant ? InchLines.Values.ZERO : InchLines.Values.WALK;
    InchLines lines =
        new InchLines(
            measurements,
            tags,
            points,
            fields,
            fieldPrefix,
            oneFieldPerLine,
            values,
            Optional.empty(),
            batch);
    return span.isZero() ? withoutTimes(lines) : lines.at(times(lines.points()));
  }

  private InchLines withoutTimes(InchLines lines) {
    if (start != null) {
      throw new IllegalArgumentException("-start-time needs -time: over which span?");
    }
    return lines;
  }

  private InchLines.Times times(long of) {
    long step = span.abs().toNanos() / of;
    if (step < 1) {
      throw new IllegalArgumentException("-time is less than a nanosecond a point");
    }
    Instant first = start == null ? Instant.now() : start;
    if (span.isNegative()) {
      first = first.plus(span);
    }
    long nanos =
        Math.addExact(Math.multiplyExact(first.getEpochSecond(), 1_000_000_000L), first.getNano());
    return new InchLines.Times(nanos, step, precision.nanos);
  }

  InchTarget target() {
    String write =
        version2
            ? InchTarget.parameters("bucket", database, "precision", precisionOfVersion2())
            : InchTarget.parameters(
                "db",
                database,
                "rp",
                retentionPolicy,
                "precision",
                precision.name(),
                "consistency",
                consistency.name());
    return new InchTarget(host, version2, authorization(), write, gzip, tenants);
  }

  private String precisionOfVersion2() {
    return precision == Precision.u ? "us" : precision.name();
  }

  private Optional<String> authorization() {
    if (token != null) {
      return Optional.of("Token " + token);
    }
    return user == null || password == null
        ? Optional.empty()
        : Optional.of(InchTarget.basic(user, password));
  }

  /** Sees whether the server answers, and creates the database. */
  void setUp(InchTarget target) throws InterruptedException {
    try {
      target.ping();
      if (!noSetUp && !version2) {
        InchTarget.Answer answer =
            target.query("CREATE DATABASE " + database + " WITH DURATION " + shardDuration);
        if (answer.status() != 200) {
          throw new IOException("CREATE DATABASE: " + answer);
        }
      }
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "-host " + host + " cannot be used: " + e + ". Does it speak InfluxDB's HTTP there?",
          e);
    }
  }

  /** Where figures go; empty if they go nowhere. */
  Optional<InchReport> report(int writers) throws InterruptedException {
    if (reportHost == null) {
      return Optional.empty();
    }
    Map<String, String> all = new LinkedHashMap<>();
    all.put("stress_tool", "packhorse-inch");
    all.put("t", tags.toString().replaceAll("[\\[\\] ]", ""));
    all.put("batch_size", "" + batch);
    all.put("p", "" + points);
    all.put("c", "" + writers);
    all.put("m", "" + measurements);
    all.put("f", "" + fields);
    all.put("sd", shardDuration);
    all.putAll(reportTags);
    Optional<String> login =
        reportUser == null || reportPassword == null
            ? Optional.empty()
            : Optional.of(InchTarget.basic(reportUser, reportPassword));
    String write = InchTarget.parameters("db", InchReport.DATABASE, "precision", "ns");
    InchReport report =
        new InchReport(new InchTarget(reportHost, false, login, write, false, 0), all);
    try {
      report.begin();
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER, "-report-host " + reportHost + " cannot be used: " + e + ".", e);
    }
    return Optional.of(report);
  }

  /** Prints what is about to happen, in inch's form. */
  void describe(InchLines lines, int writers, PrintWriter out) {
    out.println("Host: " + host);
    out.println("Concurrency: " + writers);
    out.println("Virtual Hosts: " + tenants);
    out.println("Measurements: " + measurements);
    out.println(
        "Tag cardinalities: "
            + tags.stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]")));
    out.println("Points per series: " + points);
    out.println("Total series: " + lines.series());
    out.println("Total points: " + lines.points());
    out.println("Total fields per point: " + fields);
    out.println("Values: " + lines.values());
    out.println("Multiple writes per point: " + oneFieldPerLine);
    out.println("Batch Size: " + batch);
    out.println("Database: " + database + " (Shard duration: " + shardDuration + ")");
    out.println("Retention Policy: " + retentionPolicy);
    out.println("Write Consistency: " + consistency);
    out.println("Writing into InfluxDB 2.0: " + version2);
    out.println("Precision: " + precision);
    out.println(
        lines.times().isEmpty()
            ? "Time span: off, the server's time is that of the points"
            : "Time span: "
                + span.toString().substring("PT".length()).toLowerCase(Locale.ROOT)
                + ", a point each "
                + lines.times().get().stepNanos()
                + " ns");
    warnOfEqualTimes(lines, out);
    out.flush();
  }

  /** OpenTSDB has milliseconds: points of a series that are closer become one. */
  private void warnOfEqualTimes(InchLines lines, PrintWriter out) {
    long apart =
        lines.times().map(each -> each.stepNanos() * lines.series()).orElse(Long.MAX_VALUE);
    if (points > 1 && apart < Math.max(1_000_000, precision.nanos)) {
      out.println(
          "WARNING: points of a series are "
              + apart
              + " ns apart; those of the same millisecond replace each other in OpenTSDB, those of"
              + " the same time anywhere. A longer -time keeps them apart.");
    }
  }
}
