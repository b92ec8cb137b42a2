package io.packhorse.loader.inch;

import io.packhorse.loader.source.generated.ValueKind;
import io.packhorse.loader.source.generated.WorkloadValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The points, as lines: round after round, one of each series, measurements before the first tag
 * before the second. Immutable; any number of threads.
 *
 * @param measurements {@code m0}, {@code m1}, ...; 1 or more
 * @param tags how many values each tag has, in order; 1 or more
 * @param pointsPerSeries 1 or more
 * @param fields of a point, 1 or more
 * @param fieldPrefix names of fields begin with it
 * @param oneFieldPerLine whether each field has a line of its own
 * @param values what fields hold
 * @param times when points are; empty for the time at which the server takes them
 * @param batch points of a request, 1 or more
 */
public record InchLines(
    int measurements,
    List<Integer> tags,
    int pointsPerSeries,
    int fields,
    String fieldPrefix,
    boolean oneFieldPerLine,
    Values values,
    Optional<Times> times,
    int batch) {
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;
  private static final int LINE_BYTES = 80;

  /** What fields hold. */
  public enum Values {
    /** Integers that go up and down, 0 to 9999. */
    WALK(ValueKind.WALK),
    /** Any integer, 0 to 9999. */
    RANDOM(ValueKind.NOISE),
    /** 0, as inch has it: no store has less to keep. */
    ZERO(ValueKind.CONSTANT);

    private final ValueKind kind;

    Values(ValueKind kind) {
      this.kind = kind;
    }

    private WorkloadValues made() {
      return new WorkloadValues(kind, 0, this == ZERO ? 0 : 9999, 10, 60, 0, null);
    }
  }

  /**
   * When points are.
   *
   * @param startNanos of the first one, since 1970
   * @param stepNanos from one to the next of whatever series, 1 or more
   * @param unitNanos of a time as it is sent
   */
  public record Times(long startNanos, long stepNanos, long unitNanos) {
    /** Of a point, in units. */
    long of(long point) {
      return Math.floorDiv(startNanos + point * stepNanos, unitNanos);
    }
  }

  public InchLines {
    tags = List.copyOf(tags);
    if (measurements < 1
        || tags.isEmpty()
        || tags.stream().anyMatch(each -> each < 1)
        || pointsPerSeries < 1
        || fields < 1
        || batch < 1) {
      throw new IllegalArgumentException("-m, -t, -p, -f and -b must be 1 or more");
    }
    long all = Math.multiplyExact(measurements, (long) pointsPerSeries);
    for (int each : tags) {
      all = Math.multiplyExact(all, (long) each);
    }
  }

  /** The same points at these times. */
  public InchLines at(Times when) {
    return new InchLines(
        measurements,
        tags,
        pointsPerSeries,
        fields,
        fieldPrefix,
        oneFieldPerLine,
        values,
        Optional.of(when),
        batch);
  }

  /** Of all measurements and tags. */
  public long series() {
    return tags.stream().mapToLong(each -> each).reduce(measurements, (a, b) -> a * b);
  }

  /** Of all series. */
  public long points() {
    return series() * pointsPerSeries;
  }

  /** Requests that hold them. */
  public long batches() {
    return (points() + batch - 1) / batch;
  }

  /** Points of a request; the last one may have fewer. */
  public int points(long number) {
    return (int) Math.min(batch, points() - number * batch);
  }

  /**
   * The lines of a request.
   *
   * @param number from 0 on
   */
  public byte[] body(long number) {
    StringBuilder out = new StringBuilder(points(number) * LINE_BYTES);
    WorkloadValues made = values.made();
    long first = number * batch;
    for (long point = first; point < first + points(number); point++) {
      append(out, point, made);
    }
    return out.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void append(StringBuilder out, long point, WorkloadValues made) {
    long of = point % series();
    int from = out.length();
    out.append('m').append(of % measurements);
    long rest = of / measurements;
    for (int tag = 0; tag < tags.size(); tag++) {
      out.append(",tag").append(tag).append("=value").append(rest % tags.get(tag));
      rest /= tags.get(tag);
    }
    String name = out.substring(from);
    for (int field = 0; field < fields; field++) {
      if (field == 0) {
        out.append(' ');
      } else if (oneFieldPerLine) {
        out.append(name).append(' ');
      } else {
        out.append(',');
      }
      long series = (of * fields + field) * GOLDEN;
      out.append(fieldPrefix).append(field).append('=');
      made.append(out, made.mantissa(series, point / series()));
      if (oneFieldPerLine || field == fields - 1) {
        times.ifPresent(each -> out.append(' ').append(each.of(point)));
        out.append('\n');
      }
    }
  }
}
