package io.packhorse.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.benchmarks.Store;
import io.packhorse.benchmarks.load.SensorText.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whole loads into an embedded store, beside TsFile's writer and OpenTSDB's own importer. The clock
 * runs from the start of the command until it returns, when every cell is acknowledged and
 * readable; then every point is read back and compared, and some are asked of the TSD.
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

  /**
   * A case and the sink that it counts for. Where names are many, a first load makes them, and the
   * other sink is measured, too.
   */
  private record Case(Work work, String sink, boolean manyNames, int repeats) {}

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
            + " core, one file each, no server and no names; read back and summed up.");
  }

  private static List<Case> cases(Path folder, boolean quick) {
    Path text = folder.resolve("points.txt");
    int hours = quick ? 12 : 48;
    int hosts = quick ? 10_000 : 100_000;
    int repeats = quick ? 1 : 3;
    return List.of(
        new Case(
            new WalkWork("reference-hfiles", SENSORS, quick ? 720 : 8760),
            HFILES,
            false,
            quick ? 1 : 2),
        new Case(new WalkWork("reference-puts", SENSORS, quick ? 240 : 4380), PUTS, false, repeats),
        new Case(
            new TextWork(
                "text-w1", new SensorText("w1", SENSORS, 1, hours * 3600, Values.UNIFORM), text),
            PUTS,
            true,
            repeats),
        new Case(
            new TextWork(
                "text-w2", new SensorText("w2", 10_000, 60, hours * 60, Values.WALK), text),
            PUTS,
            true,
            repeats),
        new Case(
            new TextWork("new-series", new HostText(hosts, 12, false), text),
            HFILES,
            true,
            repeats));
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
        if (what.manyNames) {
          Loaded first = load(packhorse, store, work, run++, what.sink, 0);
          figures.add("packhorse-first", first.process, first.hbaseCpuSeconds);
        }
        Loaded byDefault = load(packhorse, store, work, run++, what.sink, 0);
        figures.add("packhorse", byDefault.process, byDefault.hbaseCpuSeconds);
        for (int threads = 1; threads <= 2; threads++) {
          Loaded loaded =
              threads == byDefault.threads
                  ? byDefault
                  : load(packhorse, store, work, run++, what.sink, threads);
          figures.add("packhorse-" + threads + "t", loaded.process, loaded.hbaseCpuSeconds);
        }
        if (what.manyNames) {
          String sink = what.sink.equals(PUTS) ? HFILES : PUTS;
          Loaded loaded = load(packhorse, store, work, run++, sink, 0);
          figures.add("packhorse-" + sink, loaded.process, loaded.hbaseCpuSeconds);
        }
        Peers.Result peer = work.tsFile(processors);
        figures.add("tsfile", peer.process(), 0);
        figures.addBytes("tsfile", peer.storedBytes() / work.points());
        importInto(store, work.importSample(importPoints), run, figures);
        store.stop();
        for (String system : figures.packhorses()) {
          figures.addBytes(system, (double) store.bytes("p") / work.points() / run);
        }
        long imported = work.importSample(importPoints).points();
        figures.addBytes("tsdb-import", (double) store.bytes("t") / imported);
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
    figures.addScaled("tsdb-import", imported, store.cpuSeconds() - cpuBefore, sample.points());
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
