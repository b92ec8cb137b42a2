package io.packhorse.benchmarks.receive;

import io.airlift.compress.snappy.SnappyCompressor;
import io.packhorse.benchmarks.CpuOnly;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * Hosts as in TSBS's workload cpu-only: ten tags, ten percentages that walk, a row of each host
 * every ten seconds, in the order of their times.
 *
 * @param hosts number of them
 * @param steps rows of each
 */
record Hosts(int hosts, int steps) {
  static final long START_S = 1_704_067_200L;
  static final int FIELDS = 10;
  private static final int INTERVAL_S = 10;

  /** Bodies that are compressed at the same time. */
  private static final int TOGETHER = 16;

  /** Tag keys but that of the host, each with how many values it has. */
  private static final String[] TAGS = {
    "region",
    "datacenter",
    "rack",
    "os",
    "arch",
    "team",
    "service",
    "service_version",
    "service_environment"
  };

  private static final int[] TAG_VALUES = {9, 27, 100, 3, 2, 4, 20, 2, 3};

  /** Tags of the forms of OpenTSDB: no more than a TSD takes by default. */
  private static final int TSD_TAGS = 8;

  /** Seconds from the first row to the last. */
  long seconds() {
    return (long) (steps - 1) * INTERVAL_S;
  }

  /**
   * Makes bodies.
   *
   * @param name measurement, or first word of the metrics
   * @param atOnce rows in a body in line protocol, else points
   * @param gzip whether they are compressed so; remote write always is, in snappy
   */
  Bodies bodies(Form form, String name, int atOnce, boolean gzip) {
    String between = form == Form.REMOTE_WRITE ? "_" : ".";
    List<String> metrics = CpuOnly.FIELDS.stream().map(field -> name + between + field).toList();
    byte[][] tags = new byte[hosts][];
    for (int host = 0; host < hosts; host++) {
      tags[host] = form == Form.REMOTE_WRITE ? labels(name, host) : ascii(tags(form, name, host));
    }
    byte[][] heads = new byte[FIELDS][];
    for (int field = 0; field < FIELDS; field++) {
      String metric = metrics.get(field);
      heads[field] =
          switch (form) {
            case INFLUX -> ascii((field == 0 ? " " : "i,") + CpuOnly.FIELDS.get(field) + "=");
            case JSON -> ascii("{\"metric\":\"" + metric + "\",\"timestamp\":");
            case TELNET -> ascii("put " + metric + " ");
            case REMOTE_WRITE -> label("__name__", metric);
          };
    }
    Writer writer = new Writer(form, tags, heads, atOnce, gzip);
    SplittableRandom random = new SplittableRandom(1);
    byte[] values = new byte[hosts * FIELDS];
    random.nextBytes(values);
    long sum = 0;
    for (int step = 0; step < steps; step++) {
      for (int host = 0; host < hosts; host++) {
        long draw = random.nextLong();
        for (int at = host * FIELDS; at < (host + 1) * FIELDS; at++) {
          // About a normal distribution with a deviation of 1, as TSBS has it.
          int moved = Math.abs(values[at]) + Long.bitCount(draw & 0x3f) - 3;
          values[at] = (byte) Math.max(0, Math.min(100, moved));
          sum += values[at];
          draw >>>= 6;
        }
        writer.row(host, START_S + (long) step * INTERVAL_S, values);
      }
    }
    String encoding = form == Form.REMOTE_WRITE ? "snappy" : gzip ? "gzip" : "";
    return new Bodies(
        form, encoding, name, metrics, writer.finish(), (long) hosts * steps * FIELDS, sum);
  }

  /** Tags of a host by key, that of the host first. */
  private static Map<String, String> tags(String name, int host) {
    SplittableRandom random = new SplittableRandom(host);
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("hostname", name + "_host_" + host);
    for (int i = 0; i < TAGS.length; i++) {
      tags.put(TAGS[i], TAGS[i] + "-" + random.nextInt(TAG_VALUES[i]));
    }
    return tags;
  }

  /** Labels of remote write, in the order of their names. */
  private static byte[] labels(String name, int host) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new TreeMap<>(tags(name, host)).forEach((key, value) -> bytes.writeBytes(label(key, value)));
    return bytes.toByteArray();
  }

  private static byte[] label(String key, String value) {
    ByteArrayOutputStream label = new ByteArrayOutputStream();
    Protobuf.bytes(label, 1, ascii(key));
    Protobuf.bytes(label, 2, ascii(value));
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    Protobuf.bytes(field, 1, label.toByteArray());
    return field.toByteArray();
  }

  private static String tags(Form form, String name, int host) {
    StringBuilder tags = new StringBuilder();
    int i = 0;
    for (Map.Entry<String, String> tag : tags(name, host).entrySet()) {
      String key = tag.getKey();
      String value = tag.getValue();
      if (form != Form.INFLUX && i == TSD_TAGS) {
        break;
      }
      switch (form) {
        case INFLUX -> tags.append(',').append(key).append('=').append(value);
        case TELNET -> tags.append(' ').append(key).append('=').append(value);
        case JSON ->
            tags.append(i == 0 ? "" : ",")
                .append('"')
                .append(key)
                .append("\":\"")
                .append(value)
                .append('"');
        case REMOTE_WRITE -> throw new IllegalStateException();
      }
      i++;
    }
    return switch (form) {
      case INFLUX -> name + tags;
      case TELNET -> tags + "\n";
      case REMOTE_WRITE -> throw new IllegalStateException();
      case JSON -> ",\"tags\":{" + tags + "}}";
    };
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Cuts the text into bodies. One thread. */
  private static final class Writer {
    private final Form form;
    private final byte[][] tags;
    private final byte[][] heads;
    private final int atOnce;
    private final boolean gzip;
    private final List<byte[]> bodies = new ArrayList<>();
    private final List<byte[]> plain = new ArrayList<>();
    private byte[] text = new byte[1 << 16];
    private int size;
    private int held;

    Writer(Form form, byte[][] tags, byte[][] heads, int atOnce, boolean gzip) {
      this.form = form;
      this.tags = tags;
      this.heads = heads;
      this.atOnce = atOnce;
      this.gzip = gzip;
    }

    void row(int host, long timeS, byte[] values) {
      if (form == Form.INFLUX) {
        append(tags[host]);
        for (int field = 0; field < FIELDS; field++) {
          append(heads[field]);
          number(values[host * FIELDS + field]);
        }
        append((byte) 'i', (byte) ' ');
        number(timeS * 1_000_000_000L);
        append((byte) '\n');
        count();
        return;
      }
      for (int field = 0; field < FIELDS; field++) {
        if (form == Form.REMOTE_WRITE) {
          series(heads[field], tags[host], timeS * 1000, values[host * FIELDS + field]);
          count();
          continue;
        }
        if (form == Form.JSON) {
          append((byte) (held == 0 ? '[' : ','));
        }
        append(heads[field]);
        number(timeS);
        append(form == Form.JSON ? VALUE : BLANK);
        number(values[host * FIELDS + field]);
        append(tags[host]);
        count();
      }
    }

    private void series(byte[] name, byte[] labels, long timeMs, double value) {
      ByteArrayOutputStream sample = new ByteArrayOutputStream();
      Protobuf.fixed64(sample, 1, Double.doubleToRawLongBits(value));
      Protobuf.varint(sample, 2, timeMs);
      ByteArrayOutputStream series = new ByteArrayOutputStream();
      series.writeBytes(name);
      series.writeBytes(labels);
      Protobuf.bytes(series, 2, sample.toByteArray());
      ByteArrayOutputStream field = new ByteArrayOutputStream();
      Protobuf.bytes(field, 1, series.toByteArray());
      append(field.toByteArray());
    }

    private static final byte[] VALUE = ascii(",\"value\":");
    private static final byte[] BLANK = ascii(" ");

    private void count() {
      if (++held == atOnce) {
        cut();
      }
    }

    private void cut() {
      if (held == 0) {
        return;
      }
      if (form == Form.JSON) {
        append((byte) ']');
      }
      byte[] body = Arrays.copyOf(text, size);
      size = 0;
      held = 0;
      if (form == Form.REMOTE_WRITE) {
        bodies.add(snappy(body));
        return;
      }
      if (!gzip) {
        bodies.add(body);
        return;
      }
      plain.add(body);
      if (plain.size() == TOGETHER) {
        compress();
      }
    }

    private void compress() {
      bodies.addAll(plain.parallelStream().map(Writer::gzipped).toList());
      plain.clear();
    }

    private static byte[] snappy(byte[] body) {
      SnappyCompressor compressor = new SnappyCompressor();
      byte[] bytes = new byte[compressor.maxCompressedLength(body.length)];
      int length = compressor.compress(body, 0, body.length, bytes, 0, bytes.length);
      return Arrays.copyOf(bytes, length);
    }

    private static byte[] gzipped(byte[] body) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
      try (GZIPOutputStream out = new GZIPOutputStream(bytes, 1 << 14)) {
        out.write(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    List<byte[]> finish() {
      cut();
      compress();
      return bodies;
    }

    private void append(byte... bytes) {
      if (size + bytes.length + 64 > text.length) {
        text = Arrays.copyOf(text, 2 * text.length + bytes.length);
      }
      System.arraycopy(bytes, 0, text, size, bytes.length);
      size += bytes.length;
    }

    /** A number that is not negative; there is room for it. */
    private void number(long number) {
      int from = size;
      long rest = number;
      do {
        text[size++] = (byte) ('0' + rest % 10);
        rest /= 10;
      } while (rest > 0);
      for (int i = from, j = size - 1; i < j; i++, j--) {
        byte swapped = text[i];
        text[i] = text[j];
        text[j] = swapped;
      }
    }
  }
}
