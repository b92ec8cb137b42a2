package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.CpuOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rows of hosts with ten tags and ten integers, in the order of their times, 10 s apart: each row
 * is a line of InfluxDB's line protocol, or ten of OpenTSDB's import lines. No run meets a host of
 * another one.
 *
 * @param hosts number of them
 * @param steps rows of each
 * @param importLines whether it is in import lines
 */
record HostText(int hosts, int steps, boolean importLines) implements PointText {
  private static final int INTERVAL_S = 10;
  private static final int SAMPLED_HOSTS = 3;

  /** Hosts read back from a peer: TsFile takes milliseconds for each. */
  private static final int READ_HOSTS = 1000;

  private static final List<String> FIELDS = CpuOnly.FIELDS;

  /** Tag keys but that of the host, each with how many values it has. */
  private static final Map<String, Integer> TAGS =
      new TreeMap<>(
          Map.of(
              "region", 9,
              "datacenter", 27,
              "rack", 100,
              "os", 3,
              "arch", 2,
              "team", 4,
              "service", 20,
              "service_version", 2,
              "service_environment", 3));

  @Override
  public String unit() {
    return "rows";
  }

  @Override
  public long rows() {
    return (long) hosts * steps;
  }

  @Override
  public long points() {
    return rows() * FIELDS.size();
  }

  @Override
  public void write(Path file, int run) throws IOException {
    try (LineFile lines = new LineFile(file)) {
      for (int step = 0; step < steps; step++) {
        long timeS = START_S + (long) step * INTERVAL_S;
        for (int host = 0; host < hosts; host++) {
          if (importLines) {
            writeImportLines(lines, run, host, step, timeS);
          } else {
            writeLine(lines, run, host, step, timeS);
          }
        }
      }
    }
  }

  private static void writeLine(LineFile lines, int run, int host, int step, long timeS)
      throws IOException {
    lines.text(LineFile.ascii("cpu," + tags(run, host, ",") + " "));
    for (int field = 0; field < FIELDS.size(); field++) {
      lines.text(LineFile.ascii((field == 0 ? "" : ",") + FIELDS.get(field) + "="));
      lines.number(value(host, field, step)).text(LineFile.ascii("i"));
    }
    lines.text(LineFile.ascii(" ")).number(timeS * 1_000_000_000L).end();
  }

  private static void writeImportLines(LineFile lines, int run, int host, int step, long timeS)
      throws IOException {
    byte[] tags = LineFile.ascii(" " + tags(run, host, " "));
    for (int field = 0; field < FIELDS.size(); field++) {
      lines.text(LineFile.ascii("cpu." + FIELDS.get(field) + " " + timeS + " "));
      lines.number(value(host, field, step)).text(tags).end();
    }
  }

  private static String tags(int run, int host, String separator) {
    StringBuilder tags = new StringBuilder("hostname=").append(name(run, host));
    TAGS.forEach(
        (key, values) ->
            tags.append(separator)
                .append(key)
                .append('=')
                .append(key)
                .append('-')
                .append(Draw.below(values, host, key.hashCode())));
    return tags.toString();
  }

  private static String name(int run, int host) {
    return "r" + run + "-host-" + host;
  }

  /** A percentage. */
  private static long value(int host, int field, int step) {
    return Draw.below(101, (long) host * FIELDS.size() + field, step);
  }

  @Override
  public List<String> options() {
    return List.of("--max-tags", Integer.toString(TAGS.size() + 1));
  }

  @Override
  public List<KnownSeries> samples(int run) {
    List<KnownSeries> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLED_HOSTS; i++) {
      int host = (int) ((long) i * (hosts - 1) / (SAMPLED_HOSTS - 1));
      int field = i * (FIELDS.size() - 1) / (SAMPLED_HOSTS - 1);
      SortedMap<Long, Double> points = new TreeMap<>();
      for (int step = 0; step < steps; step++) {
        points.put(START_S + (long) step * INTERVAL_S, (double) value(host, field, step));
      }
      samples.add(
          new KnownSeries(
              "cpu." + FIELDS.get(field) + "{hostname=" + name(run, host) + "}", points));
    }
    return samples;
  }

  /** Fewer hosts, as import lines. */
  @Override
  public PointText sample(long pointsMax) {
    long fewer = Math.max(1, pointsMax / steps / FIELDS.size());
    return new HostText((int) Math.min(hosts, fewer), steps, true);
  }

  @Override
  public TsFilePeer.Form form() {
    return TsFilePeer.Form.HOSTS;
  }

  @Override
  public int readEvery() {
    return Math.max(1, hosts / READ_HOSTS);
  }

  @Override
  public long readPoints() {
    int every = readEvery();
    return (long) ((hosts + every - 1) / every) * steps * FIELDS.size();
  }

  @Override
  public double readSum() {
    long sum = 0;
    for (int step = 0; step < steps; step++) {
      for (int host = 0; host < hosts; host += readEvery()) {
        for (int field = 0; field < FIELDS.size(); field++) {
          sum += value(host, field, step);
        }
      }
    }
    return sum;
  }
}
