package io.packhorse.benchmarks.cells;

import io.packhorse.benchmarks.Benchmark;
import io.packhorse.benchmarks.PackhorseCommand;
import io.packhorse.benchmarks.Report;
import io.packhorse.schema.cell.PointBlock;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bytes and nanoseconds a point, of the packed cell and of others, for every shape at 3,600, 60 and
 * 4 points per cell. Every block must come back bit by bit before anything is timed. In this
 * process, on one thread.
 */
public final class CellsBenchmark implements Benchmark {
  private static final int[] POINTS_PER_CELL = {3600, 60, 4};

  /** What encodings of TsFile are ranked on: one of them takes microseconds a point. */
  private static final int SAMPLE_POINTS = 7_200;

  /** The shape that is also measured in HBase's files. */
  private static final String ON_DISK = "w2";

  private static final Stopwatch THOROUGH = new Stopwatch(200_000_000, 40_000_000, 7);
  private static final Stopwatch QUICK = new Stopwatch(12_000_000, 4_000_000, 5);
  private static final Stopwatch WARM_UP = new Stopwatch(6_000_000, 1_000_000, 1);
  private static final int WARM_UP_ROUNDS = 3;

  private final Map<String, Path> files;
  private final List<String> only;

  /**
   * @param files real values by the name of their cases, beside the shapes
   * @param only shapes and files to measure; empty for all
   */
  public CellsBenchmark(Map<String, Path> files, List<String> only) {
    this.files = files;
    this.only = List.copyOf(only);
  }

  @Override
  public void run(PackhorseCommand packhorse, boolean quick, Report report)
      throws IOException, InterruptedException {
    report.note(
        "bytes_per_point: packed cells and OpenTSDB's column with times; gorilla and tsfile with"
            + " times, without headers of files and pages; zstd the values alone,"
            + " zstd-with-times four bytes of time each too."
            + " column_bytes_per_point: with the packed cell's qualifier too.");
    report.note(
        "encode_ns, decode_ns: processor time of one thread a point, garbage collection not"
            + " counted. *_garbage_bytes: allocated a cell beside the cell itself.");
    Stopwatch stopwatch = quick ? QUICK : THOROUGH;
    if (wanted(ON_DISK)) {
      onDisk(report);
    }
    warmUp();
    for (CellShape shape : CellShapes.all()) {
      if (wanted(shape.id())) {
        for (int points : POINTS_PER_CELL) {
          measure(new CellCase(shape.id() + "-" + points, shape.blocks(points)), stopwatch, report);
        }
      }
    }
    for (Map.Entry<String, Path> file : files.entrySet()) {
      if (wanted(file.getKey())) {
        ValueFile values = new ValueFile(file.getKey(), file.getValue());
        for (int points : POINTS_PER_CELL) {
          measure(values.blocks(points), stopwatch, report);
        }
      }
    }
  }

  /** Bytes in HBase's files, for hours of 60 points: the smallest of its block forms. */
  private static void onDisk(Report report) throws IOException, InterruptedException {
    System.err.println("cells  " + ON_DISK + "-60 in HBase's files");
    String lib = System.getProperty("packhorse.lib", "");
    Path errors = Files.createTempFile("hfile-sizes", ".log");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                lib + "/benchmarks/*" + File.pathSeparator + lib + "/hbase/*",
                HFileSizes.class.getName(),
                ON_DISK)
            .redirectError(errors.toFile())
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("cells: HBase's files could not be written; why: " + errors);
    }
    Files.delete(errors);
    Map<String, Double> smallest = new LinkedHashMap<>();
    for (String line : printed.lines().toList()) {
      List<String> words = List.of(line.split(" ", -1));
      smallest.merge(words.get(0), Double.parseDouble(words.get(3)), Math::min);
    }
    smallest.forEach(
        (system, bytes) ->
            report.add(ON_DISK + "-60", system, "hfile_bytes_per_point", bytes, "bytes"));
    report.note(ON_DISK + "-60 in files of HBase: " + String.join("; ", printed.lines().toList()));
  }

  /**
   * Brings all code to its final form, so that the first case is not the slowest.
   *
   * <p>One round over the shapes leaves packed cells with code that the compiler made for the first
   * of them. The others put it aside, and for some tenths of a second, longer than a quick case
   * takes, its stand-in is three times as slow. After the further rounds that is done with.
   */
  private static void warmUp() throws IOException {
    System.err.println("cells  warming up");
    List<CellCase> cases = new ArrayList<>();
    for (CellShape shape : CellShapes.all()) {
      for (int points : POINTS_PER_CELL) {
        cases.add(new CellCase(shape.id(), shape.blocks(points).subList(0, 4)));
      }
    }
    for (CellCase cells : cases) {
      for (CellCodec<?> codec : codecs()) {
        measure(cells, codec, WARM_UP, new Report(Map.of()));
      }
    }
    for (int round = 1; round < WARM_UP_ROUNDS; round++) {
      for (CellCase cells : cases) {
        measure(cells, new PackedCodec(), WARM_UP, new Report(Map.of()));
      }
    }
  }

  private boolean wanted(String id) {
    return only.isEmpty() || only.contains(id);
  }

  private static void measure(CellCase cells, Stopwatch stopwatch, Report report)
      throws IOException {
    System.err.println("cells  " + cells.name());
    for (CellCodec<?> codec : codecs()) {
      measure(cells, codec, stopwatch, report);
    }
    measure(cells, bestOfTsFile(cells, report), stopwatch, report);
  }

  /** All but TsFile's, which depends on the data. */
  private static List<CellCodec<?>> codecs() {
    List<CellCodec<?>> codecs = new ArrayList<>();
    codecs.add(new PackedCodec());
    codecs.add(new CompactedCodec());
    codecs.add(new GorillaCodec());
    codecs.add(new ZstdCodec(false));
    codecs.add(new ZstdCodec(true));
    return codecs;
  }

  private static <T> void measure(
      CellCase cells, CellCodec<T> codec, Stopwatch stopwatch, Report report) throws IOException {
    CellTrial<T> trial =
        new CellTrial<>(codec, codec.keepsKinds() ? cells.blocks() : cells.blocksOfOneKind());
    try {
      trial.check();
      String system = codec.system();
      report.add(cells.name(), system, "bytes_per_point", trial.bytesPerPoint(), "bytes");
      if (codec.keepsKinds()) {
        report.add(
            cells.name(), system, "column_bytes_per_point", trial.columnBytesPerPoint(), "bytes");
      }
      report.add(cells.name(), system, "encode_ns", trial.encodeNanos(stopwatch), "ns/point");
      report.add(cells.name(), system, "decode_ns", trial.decodeNanos(stopwatch), "ns/point");
      if (codec instanceof PackedCodec) {
        report.add(
            cells.name(), system, "encode_garbage_bytes", trial.encodeGarbage(), "bytes/cell");
        report.add(
            cells.name(), system, "decode_garbage_bytes", trial.decodeGarbage(), "bytes/cell");
      }
    } catch (IOException e) {
      throw new IOException("cells " + cells.name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The smallest of TsFile's encodings on the first blocks that gives back every bit of all blocks.
   */
  private static TsFileCodec bestOfTsFile(CellCase cells, Report report) throws IOException {
    List<PointBlock> blocks = cells.blocksOfOneKind();
    List<PointBlock> sample =
        blocks.subList(0, Math.min(blocks.size(), 1 + SAMPLE_POINTS / blocks.get(0).count()));
    record Choice(TsFileEncoding encoding, double bytesPerPoint) {}
    List<Choice> choices = new ArrayList<>();
    List<TsFileEncoding> inexact = new ArrayList<>();
    for (TsFileEncoding encoding : TsFileEncoding.candidates(blocks)) {
      TsFileCodec codec = new TsFileCodec(encoding);
      if (CellTrial.givesBack(codec, sample)) {
        CellTrial<?> trial = new CellTrial<>(codec, sample);
        trial.check();
        choices.add(new Choice(encoding, trial.bytesPerPoint()));
      } else if (encoding.decimals() < 0) {
        inexact.add(encoding);
      }
    }
    choices.sort(Comparator.comparingDouble(Choice::bytesPerPoint));
    for (Choice choice : choices) {
      TsFileCodec codec = new TsFileCodec(choice.encoding());
      if (CellTrial.givesBack(codec, blocks)) {
        report.note(
            cells.name()
                + " tsfile: "
                + choice.encoding()
                + (inexact.isEmpty() ? "" : "; not bit-exact: " + inexact));
        return codec;
      }
      inexact.add(choice.encoding());
    }
    throw new IOException("cells " + cells.name() + ": no encoding of TsFile is bit-exact");
  }
}
