package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.load.Causes;
import io.packhorse.loader.load.LoadInputs;
import io.packhorse.loader.load.LoadRequest;
import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.Receiver;
import io.packhorse.loader.load.ReceiverLog;
import io.packhorse.loader.receive.LogInspection;
import io.packhorse.loader.receive.net.Access;
import io.packhorse.loader.receive.net.Credentials;
import io.packhorse.loader.receive.net.ReceiverServer;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.table.TableOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code receive}: points of live clients into a store. */
@Command(
    name = "receive",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Receive points from live clients, pack them and store them: one Put a series-hour instead of"
          + " one a point. Clients of OpenTSDB, InfluxDB and Prometheus send to it unchanged.",
      "An answer means that the points are on this machine's disk, in a log. They are in HBase, and"
          + " can be queried, within a minute; while HBase is away, also at the start, they stay in"
          + " the log.",
      "SIGTERM or Ctrl-C stops it: requests being sent are answered, and everything is stored. What"
          + " a receiver that was killed has left in its log, the next one stores first.",
    },
    footer = {
      "",
      "Examples:",
      "  packhorse receive --http 8086",
      "      line protocol at /write and OpenTSDB's JSON at /api/put, on loopback, into the embedded"
          + " store",
      "  packhorse receive --http 0.0.0.0:4244 --telnet 0.0.0.0:4243 --tsd-url http://tsd:4242"
          + " --zookeeper zk1",
      "      HTTP and telnet for the network, into a cluster",
      "  curl -d 'cpu,host=a load=0.5' http://127.0.0.1:8086/write",
      "      a point; http://127.0.0.1:8086/ shows what the receiver does, /metrics for Prometheus",
      "  packhorse receive --inspect receive-20260101-000000-1a2b",
      "      what the log of a job holds",
    })
final class ReceiveCommand implements Callable<Integer> {
  private static final int THREADS_MAX = 256;
  private static final long MIB = 1L << 20;
  private static final int LOG_MIB_MIN = 64;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  @Option(
      names = "--http",
      paramLabel = "[HOST:]PORT",
      description =
          "Listen for HTTP: InfluxDB's /write and /api/v2/write, OpenTSDB's /api/put, /health,"
              + " /metrics. Without HOST on loopback only. May be given several times.")
  private List<String> http = new ArrayList<>();

  @Option(
      names = "--telnet",
      paramLabel = "[HOST:]PORT",
      description = "Listen for OpenTSDB's telnet put, in the same way.")
  private List<String> telnet = new ArrayList<>();

  @Option(
      names = "--influx-tcp",
      paramLabel = "[HOST:]PORT",
      description =
          "Listen for InfluxDB's line protocol over TCP, with nanoseconds and without answers.")
  private List<String> influxTcp = new ArrayList<>();

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "Speak TLS at all addresses, with this certificate (PEM).")
  private @Nullable Path tlsCertificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Key of the certificate (PEM, PKCS#8, no password).")
  private @Nullable Path tlsKey;

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description =
          "Clients of HTTP must log in with a name and a password of this file, which has NAME:PASSWORD"
              + " lines: by basic authentication, by InfluxDB's u and p, or with the password as a"
              + " token. /health and /ping stay open.")
  private @Nullable Path credentials;

  @Option(
      names = "--ack",
      paramLabel = "disk|memory",
      defaultValue = "disk",
      description =
          "disk: answer when the points are on disk. memory: answer before that; points that were"
              + " answered survive the end of this process, but not a crash of this machine"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private ReceiverServer.Ack ack;

  @Option(
      names = "--inspect",
      paramLabel = "JOB",
      description =
          "Receive nothing; show what the log of this job holds, also while a receiver is writing"
              + " it.")
  private @Nullable String inspected;

  @Option(
      names = "--log-limit",
      paramLabel = "MIB",
      defaultValue = "4096",
      description =
          "Most disk that the log takes, MiB, with what earlier receivers have left in theirs. When"
              + " it is full, because HBase is slow or away, HTTP clients get 503 and telnet is not"
              + " read (default: ${DEFAULT-VALUE}).")
  private int logLimit;

  @Option(
      names = "--max-body",
      paramLabel = "MIB",
      defaultValue = "32",
      description =
          "Most bytes of a request as it is sent, MiB, 1 to 64 (default: ${DEFAULT-VALUE}).")
  private int maxBody;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Most open connections; further ones are closed (default: ${DEFAULT-VALUE}).")
  private int maxConnections;

  @Option(
      names = "--visible-within",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = TimeSpan.class,
      description =
          "Store hours while they grow, so that points can be queried after this time at most;"
              + " less costs more (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration visibleWithin;

  @Option(
      names = "--job-span",
      paramLabel = "TIME",
      defaultValue = "1d",
      converter = TimeSpan.class,
      description =
          "Begin a new job whenever this time has passed (1d: at midnight, UTC), so that jobs can be"
              + " verified and rolled back one by one (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration jobSpan;

  @Option(
      names = "--max-ahead",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = TimeSpan.class,
      description =
          "Reject points that are later than now by more than this: the client's clock is wrong"
              + " (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  private Duration maxAhead;

  @Option(
      names = "--reject-text-fields",
      description =
          "Reject text fields of line protocol. Without this they are left out and counted, because"
              + " agents send them all the time.")
  private boolean rejectsText;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that parse, and threads that pack (default: one a core).")
  private int threads;

  @Mixin private final SeriesOptions series = new SeriesOptions();
  @Mixin private final TargetOptions target = new TargetOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws JobException, IOException, InterruptedException {
    if (inspected != null) {
      return inspect(inspected);
    }
    LoadResult result =
        new Receiver(target.address(), ConsoleAnnouncer.of(command), settings(), request()).run();
    PrintWriter out = command.commandLine().getOut();
    ExitCode ended = ExitCode.of(result);
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("http", http);
    asked.put("telnet", telnet);
    asked.put("influxTcp", influxTcp);
    json.print(command, ended, asked, result.json(), () -> LoadPrinter.print(result, out));
    LoadPrinter.warn(result, command.commandLine().getErr());
    return ended.code();
  }

  private Integer inspect(String job) throws JobException, IOException {
    JobFolder.Entry entry = target.address().jobs().look(job, JobShard.WHOLE);
    Optional<LogInspection.Found> found = ReceiverLog.inspect(entry);
    json.print(
        command,
        ExitCode.OK,
        Map.of("job", job),
        Map.of("log", found),
        () -> ReceivedLogPrinter.print(entry, found, command.commandLine().getOut()));
    return ExitCode.OK.code();
  }

  private Receiver.Settings settings() {
    if (http.isEmpty() && telnet.isEmpty() && influxTcp.isEmpty()) {
      throw refused("Name an address to listen at, with --http, --telnet or --influx-tcp.");
    }
    if (logLimit < LOG_MIB_MIN) {
      throw refused("--log-limit must be at least " + LOG_MIB_MIN + ".");
    }
    if (maxBody < 1 || maxBody > 64) {
      throw refused("--max-body must be 1 to 64.");
    }
    if (maxConnections < 1) {
      throw refused("--max-connections must be at least 1.");
    }
    if (jobSpan.toSeconds() < 1) {
      throw refused("--job-span must be at least 1s.");
    }
    long memory = Math.max(4L * maxBody * MIB, Runtime.getRuntime().maxMemory() / 8);
    List<InetSocketAddress> telnetAt = addresses("--telnet", telnet);
    List<InetSocketAddress> influxAt = addresses("--influx-tcp", influxTcp);
    return new Receiver.Settings(
        addresses("--http", http),
        telnetAt,
        influxAt,
        logLimit * MIB,
        jobSpan,
        new ReceiverServer.Limits((int) (maxBody * MIB), memory, maxConnections, 300),
        access(telnetAt, influxAt),
        ack);
  }

  private Access access(List<InetSocketAddress> telnetAt, List<InetSocketAddress> influxAt) {
    Path certificate = tlsCertificate;
    Path key = tlsKey;
    if ((certificate == null) != (key == null)) {
      throw refused("--tls-certificate and --tls-key go together.");
    }
    if (credentials != null) {
      Stream.concat(telnetAt.stream(), influxAt.stream())
          .filter(at -> !at.getAddress().isLoopbackAddress())
          .findFirst()
          .ifPresent(
              at -> {
                throw refused(
                    "Clients of --telnet and --influx-tcp cannot log in: with --credentials they may"
                        + " listen on loopback only, not at "
                        + at.getHostString()
                        + ".");
              });
    }
    try {
      return new Access(
          certificate == null || key == null
              ? Optional.empty()
              : Optional.of(Access.tls(certificate, key)),
          credentials == null ? Optional.empty() : Optional.of(Credentials.read(credentials)));
    } catch (IOException e) {
      throw refused(Causes.sentence(e) + ".");
    }
  }

  private List<InetSocketAddress> addresses(String option, List<String> words) {
    return words.stream().map(word -> address(option, word)).toList();
  }

  private InetSocketAddress address(String option, String word) {
    int colon = word.lastIndexOf(':');
    String host = colon < 0 ? "127.0.0.1" : word.substring(0, colon);
    try {
      int port = Integer.parseInt(word.substring(colon + 1));
      InetSocketAddress address = new InetSocketAddress(host, port);
      if (address.isUnresolved()) {
        throw refused(option + ": there is no host " + host + ".");
      }
      return address;
    } catch (IllegalArgumentException e) {
      throw refused(option + " must be a port, 0 to 65535, or HOST:PORT: " + word);
    }
  }

  private LoadRequest request() {
    if (threads < 0 || threads > THREADS_MAX) {
      throw refused("--threads must be 1 to " + THREADS_MAX + ".");
    }
    if (visibleWithin.toSeconds() < 1 || visibleWithin.toSeconds() > 3600) {
      throw refused("--visible-within must be 1s to 1h.");
    }
    SourceSpec reading =
        new SourceSpec(
            Optional.empty(),
            Optional.empty(),
            series.rules(),
            TableOptions.NONE,
            new FieldRules(!rejectsText, true));
    return new LoadRequest(
        new LoadSettings(
            new LoadInput.Received(reading, maxAhead.toMillis(), (int) visibleWithin.toSeconds()),
            new LoadOutput.Puts(PutDurability.SYNC, 0),
            CellForm.PACKED,
            threads > 0 ? threads : Runtime.getRuntime().availableProcessors(),
            true,
            10_000,
            null,
            null),
        LoadInputs.NONE,
        "receive",
        JobShard.WHOLE,
        command.root().commandLine().getParseResult().originalArgs(),
        true,
        Long.MAX_VALUE);
  }

  private ParameterException refused(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }
}
