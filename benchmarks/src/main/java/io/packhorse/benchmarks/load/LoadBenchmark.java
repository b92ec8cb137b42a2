package io.packhorse.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.SensorText.Values;
import io.packhorse.benchmarks.receive.QuestDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Whole loads into an embedded store, beside TsFile's writer, OpenTSDB's own importer and, for
 * hosts, QuestDB. The clock runs from the start of the command until it returns, when every cell is
 * acknowledged and readable; then every point is read back and compared, and some are asked of the
 * TSD.
 */
public final class LoadBenchmark implements Benchmark {
  private static final int SENSORS = 128;
  private static final String PUTS = "puts";
  private static final String HFILES = "hfiles";

  private final List<String> only;

  /**
   * @param only cases to run; empty for all
   */
  public LoadBenchmark(List<String> only) {
    this.only = List.copyOf(only);
  }

  /** What is measured beside a load with threads by default. */
  private enum Beside {
    /** A load before it, which finds no name and servers that have just started. */
    FIRST,
    ONE_THREAD,
    TWO_THREADS,
    OTHER_SINK,
    TSFILE
  }

  /** A case and the sink that it counts for. */
  private record Case(Work work, String sink, Set<Beside> beside, int repeats) {
    boolean has(Beside what) {
      return beside.contains(what);
    }
  }

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-text");
    try {
      long importPoints = quick ? 50_000 : 500_000;
      for (Case each : cases(folder, quick)) {
        if (only.isEmpty() || only.contains(each.work.name())) {
          measure(each, importPoints, packhorse, report);
        }
      }
    } finally {
      Peers.delete(folder);
    }
    report.note(
        "Clock and processor time: from the start of the command to its end, HBase's processor time"
            + " included; peak_rss_mb is the command's own. Every point was then compared, and some"
            + " asked of the TSD.");
    report.note(
        "packhorse: threads as by default; -1t, -2t: --threads; -first: the first load of a store,"
            + " with its names still to be made and its servers just started. tsfile: a thread a"
            + " core, one file each, no server and no names; read back and summed up. questdb: rows"
            + " of the same kind sent in gzip over four connections, until a query counts them; its"
            + " CPU is the server's alone.");
    if (quick) {
      report.note("--quick leaves out new-series-100k and new-series-1m.");
    }
  }

  private static List<Case> cases(Path folder, boolean quick) {
    Path text = folder.resolve("points.txt");
    int repeats = quick ? 1 : 3;
    List<Case> cases = new ArrayList<>();
    Set<Beside> generated = EnumSet.of(Beside.ONE_THREAD, Beside.TWO_THREADS, Beside.TSFILE);
    cases.add(
        new Case(
            new WalkWork("reference-hfiles", SENSORS, quick ? 720 : 8760),
            HFILES,
            generated,
            quick ? 1 : 2));
    cases.add(
        new Case(
            new WalkWork("reference-puts", SENSORS, quick ? 240 : 4380), PUTS, generated, repeats));
    Set<Beside> all = EnumSet.allOf(Beside.class);
    cases.add(new Case(sensors("text-small", SENSORS, 1, 12, text), PUTS, all, repeats));
    cases.add(new Case(sensors("text-w1", SENSORS, 1, quick ? 24 : 240, text), PUTS, all, repeats));
    cases.add(new Case(sensors("text-w2", 10_000, 60, quick ? 12 : 168, text), PUTS, all, repeats));
    cases.add(
        new Case(hosts("new-series-4k", 4_000, quick ? 30 : 360, text), HFILES, all, repeats));
    if (quick) {
      cases.add(new Case(hosts("new-series-10k", 10_000, 12, text), HFILES, all, repeats));
    } else {
      cases.add(new Case(hosts("new-series-100k", 100_000, 12, text), HFILES, all, repeats));
      // A load takes minutes; TsFile's writers of so many series do not fit its heap.
      cases.add(
          new Case(
              hosts("new-series-1m", 1_000_000, 4, text),
              HFILES,
              EnumSet.of(Beside.OTHER_SINK),
              1));
    }
    return cases;
  }

  private static Work sensors(String name, int series, int intervalS, int hours, Path file) {
    Values values = intervalS == 1 ? Values.UNIFORM : Values.WALK;
    int steps = hours * 3600 / intervalS;
    return new TextWork(name, new SensorText(name, series, intervalS, steps, values), file);
  }

  private static Work hosts(String name, int hosts, int steps, Path file) {
    return new TextWork(name, new HostText(hosts, steps, false), file);
  }

  private static void measure(
      Case what, long importPoints, PackhorseCommand packhorse, Report report)
      throws IOException, InterruptedException {
    Work work = what.work;
    Figures figures = new Figures(work);
    int processors = Runtime.getRuntime().availableProcessors();
    for (int repeat = 0; repeat < what.repeats; repeat++) {
      int run = 0;
      try (Store store = Store.start(packhorse)) {
        loadAPoint(packhorse, store);
        if (what.has(Beside.FIRST)) {
          Loaded first = load(packhorse, store, work, run++, what.sink, 0);
          figures.add("packhorse-first", first.process, first.hbaseCpuSeconds);
        }
        Loaded byDefault = load(packhorse, store, work, run++, what.sink, 0);
        figures.add("packhorse", byDefault.process, byDefault.hbaseCpuSeconds);
        for (int threads = 1; threads <= 2; threads++) {
          if (what.has(threads == 1 ? Beside.ONE_THREAD : Beside.TWO_THREADS)) {
            Loaded loaded =
                threads == byDefault.threads
                    ? byDefault
                    : load(packhorse, store, work, run++, what.sink, threads);
            figures.add("packhorse-" + threads + "t", loaded.process, loaded.hbaseCpuSeconds);
          }
        }
        if (what.has(Beside.OTHER_SINK)) {
          String sink = what.sink.equals(PUTS) ? HFILES : PUTS;
          Loaded loaded = load(packhorse, store, work, run++, sink, 0);
          figures.add("packhorse-" + sink, loaded.process, loaded.hbaseCpuSeconds);
        }
        if (what.has(Beside.TSFILE)) {
          Peers.Result peer = work.tsFile(processors);
          figures.add("tsfile", peer.process(), 0);
          figures.addBytes("tsfile", peer.storedBytes() / work.points());
        }
        importInto(store, work.importSample(importPoints), run, figures);
        store.stop();
        for (String system : figures.packhorses()) {
          figures.addBytes(system, (double) store.bytes("p") / work.points() / run);
        }
        long imported = work.importSample(importPoints).points();
        figures.addBytes("tsdb-import", (double) store.bytes("t") / imported);
      }
      if (work instanceof TextWork text && text.text() instanceof HostText rows) {
        figures.add(QuestDb.load(rows.hosts(), rows.steps()));
      }
    }
    figures.report(report);
    report.note(
        String.format(
            "%s: %,d points, medians of %d; packhorse with --sink %s; tsdb-import on %,d points.",
            work.name(),
            work.points(),
            what.repeats,
            what.sink,
            work.importSample(importPoints).points()));
  }

  /** After a build the first load takes longer: it keeps its classes for those to come. */
  private static void loadAPoint(PackhorseCommand packhorse, Store store)
      throws IOException, InterruptedException {
    Path point = Files.createTempFile("packhorse-first", ".txt");
    try {
      Files.writeString(point, "bench.first " + PointText.START_S + " 1 host=none\n");
      List<String> command = new ArrayList<>(List.of("load", "--sink", "hfiles"));
      command.addAll(store.option());
      command.add(point.toString());
      packhorse.run(command.toArray(String[]::new));
    } finally {
      Files.delete(point);
    }
  }

  private static void importInto(Store store, PointText sample, int run, Figures figures)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("packhorse-import", ".txt");
    double cpuBefore;
    MeasuredProcess imported;
    try {
      sample.write(file, run);
      cpuBefore = store.cpuSeconds();
      imported = Peers.tsdbImport(store, file);
    } finally {
      Files.delete(file);
    }
    SampleQuery.check(store, sample.samples(run), 1e-3);
    double cpuSeconds = imported.cpuSeconds() + store.cpuSeconds() - cpuBefore;
    figures.add(
        "tsdb-import", sample.points(), imported.seconds(), cpuSeconds, imported.peakBytes());
  }

  private record Loaded(MeasuredProcess process, double hbaseCpuSeconds, int threads) {}

  /** Loads a run, with so many threads; 0: as many as a load takes by itself. */
  private static Loaded load(
      PackhorseCommand packhorse, Store store, Work work, int run, String sink, int threads)
      throws IOException, InterruptedException {
    work.prepare(run);
    List<String> command = new ArrayList<>(packhorse.command(work.command(run)));
    command.addAll(store.option());
    command.addAll(List.of("--sink", sink, "--json"));
    if (threads > 0) {
      command.addAll(List.of("--threads", "" + threads));
    }
    double cpuBefore = store.cpuSeconds();
    MeasuredProcess process = MeasuredProcess.run(command);
    double hbaseCpu = store.cpuSeconds() - cpuBefore;
    JsonNode printed = new ObjectMapper().readTree(process.output());
    JsonNode result = printed.get("result");
    if (result.get("acknowledged").asLong() != work.points()) {
      throw new IOException(work.points() + " points expected: " + result);
    }
    List<String> verify = new ArrayList<>(List.of("verify", "--job", result.get("job").asText()));
    verify.addAll(store.option());
    JsonNode verified = packhorse.result(verify.toArray(String[]::new));
    if (!verified.get("passed").asBoolean() || verified.get("equal").asLong() != work.points()) {
      throw new IOException("verification failed: " + verified);
    }
    work.check(store, run);
    return new Loaded(process, hbaseCpu, printed.get("settings").get("threads").asInt());
  }
}
