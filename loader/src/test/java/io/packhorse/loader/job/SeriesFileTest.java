package io.packhorse.loader.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SeriesFileTest {
  private static final List<SeriesName> SERIES =
      List.of(
          series("cpu.user", Map.of("host", "a", "dc", "1")),
          series("cpu.idle", Map.of("host", "a", "dc", "1")),
          series("cpu.user", Map.of("host", "b", "dc", "1")),
          series("cpu.idle", Map.of("host", "b", "dc", "1")),
          series("cpu.user", Map.of("host", "c")));

  private static SeriesName series(String metric, Map<String, String> tags) {
    return new SeriesName(metric, new TreeMap<>(tags));
  }

  @Test
  void givesSeriesBackWithTheirNumbers(@TempDir Path job) throws Exception {
    SeriesNames names = new SeriesNames();
    long bytes;
    try (SeriesFile file = new SeriesFile(job, names, 0)) {
      SERIES.forEach(names::intern);
      bytes = file.append();
    }
    assertEquals(Files.size(job.resolve(SeriesFile.FILE)), bytes);
    assertEquals(SERIES, read(job, bytes));
    assertEquals(
        List.of(
            "cpu.user\tdc\t1\thost\ta",
            "cpu.idle",
            "cpu.user\tdc\t1\thost\tb",
            "cpu.idle",
            "cpu.user\thost\tc"),
        Files.readAllLines(job.resolve(SeriesFile.FILE)));
  }

  @Test
  void goesOnBehindWhatCounts(@TempDir Path job) throws Exception {
    SeriesNames names = new SeriesNames();
    long bytes;
    try (SeriesFile file = new SeriesFile(job, names, 0)) {
      names.intern(SERIES.get(0));
      bytes = file.append();
      names.intern(series("given.up", Map.of("host", "z")));
      file.append();
    }
    SeriesNames resumed = new SeriesNames();
    try (SeriesFile file = new SeriesFile(job, resumed, bytes)) {
      SERIES.forEach(resumed::intern);
      bytes = file.append();
    }
    assertEquals(SERIES, read(job, bytes));
  }

  private static List<SeriesName> read(Path job, long bytes) throws Exception {
    SeriesNames names = new SeriesNames();
    new SeriesFile(job, names, bytes).close();
    return IntStream.range(0, names.size()).mapToObj(names::get).toList();
  }
}
