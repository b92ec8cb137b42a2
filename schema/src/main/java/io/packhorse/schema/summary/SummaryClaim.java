package io.packhorse.schema.summary;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.Checksum;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.key.RowKeyLayout;
import java.util.Arrays;
import java.util.List;

/**
 * What summaries do not answer for, by somebody who changes packed cells: metrics and hours that
 * queries read from the cells. It is stored before the first such change, and removed when the
 * summaries agree with the cells again. Layout: {@code docs/format.md}, section 17.
 *
 * @param reason why
 * @param fromSeconds start of the first hour, since 1970
 * @param toSeconds end of the last hour, up to {@link RowKeyLayout#END_OF_TIME}
 * @param metrics their UIDs; none for all metrics
 */
public record SummaryClaim(Reason reason, long fromSeconds, long toSeconds, List<byte[]> metrics) {
  /** Most metrics that a claim names; a claim of more is one of all metrics. */
  public static final int METRICS_MAX = 64;

  private static final int VERSION = 1;

  /** Why summaries do not answer. */
  public enum Reason {
    /** A loader is writing. */
    WRITING('w'),
    /** A loader has written all, but not its summaries. */
    NOT_SUMMARISED('n'),
    /** Cells are being deleted, or were deleted by a TSD. */
    DELETED('d');

    private final char code;

    Reason(char code) {
      this.code = code;
    }

    private static Reason of(int code) throws MalformedCellException {
      for (Reason reason : values()) {
        if (reason.code == code) {
          return reason;
        }
      }
      throw new MalformedCellException(1, "unknown reason " + code);
    }
  }

  public SummaryClaim {
    metrics = List.copyOf(metrics);
    BaseTime.check(fromSeconds);
    if (toSeconds <= fromSeconds
        || toSeconds > RowKeyLayout.END_OF_TIME
        || toSeconds % BaseTime.HOUR_SECONDS != 0) {
      throw new IllegalArgumentException(
          "hours must be a range: from=" + fromSeconds + ", to=" + toSeconds);
    }
  }

  /** A claim of all metrics and hours. */
  public static SummaryClaim ofAll(Reason reason) {
    return new SummaryClaim(reason, 0, RowKeyLayout.END_OF_TIME, List.of());
  }

  /** Whether it has a metric. */
  public boolean has(byte[] metric) {
    return metrics.isEmpty() || metrics.stream().anyMatch(each -> Arrays.equals(each, metric));
  }

  /** The stored bytes; a new array. */
  public byte[] encode() {
    ByteWriter to = new ByteWriter(64);
    to.writeByte(VERSION);
    to.writeByte(reason.code);
    to.writeVarLong(fromSeconds / BaseTime.HOUR_SECONDS);
    to.writeVarLong(toSeconds / BaseTime.HOUR_SECONDS);
    to.writeVarInt(metrics.size());
    for (byte[] metric : metrics) {
      to.writeByte(metric.length);
      to.writeBytes(metric, 0, metric.length);
    }
    Checksum.append(to);
    return to.toByteArray();
  }

  /**
   * Reads stored bytes.
   *
   * @throws MalformedCellException if they are of another version or damaged; to be taken as a
   *     claim of everything
   */
  public static SummaryClaim decode(byte[] value) throws MalformedCellException {
    ByteReader from = new ByteReader(value, 0, Checksum.check(value));
    require(from.readByte() == VERSION, 0, "claim must have version " + VERSION);
    Reason reason = Reason.of(from.readByte());
    long first = from.readVarLong();
    long end = from.readVarLong();
    require(
        first >= 0 && first < end && end <= RowKeyLayout.END_OF_TIME / BaseTime.HOUR_SECONDS,
        2,
        "hours must be a range");
    int count = from.readVarInt();
    require(count <= METRICS_MAX, from.position(), "metrics must be 0 to " + METRICS_MAX);
    byte[][] metrics = new byte[count][];
    for (int i = 0; i < count; i++) {
      metrics[i] = new byte[from.readByte()];
      require(metrics[i].length <= from.remaining(), from.position(), "UIDs must be whole");
      System.arraycopy(value, from.position(), metrics[i], 0, metrics[i].length);
      from.skip(metrics[i].length);
    }
    from.expectEnd();
    return new SummaryClaim(
        reason, first * BaseTime.HOUR_SECONDS, end * BaseTime.HOUR_SECONDS, List.of(metrics));
  }

  private static void require(boolean holds, int at, String rule) throws MalformedCellException {
    if (!holds) {
      throw new MalformedCellException(at, rule);
    }
  }

  @Override
  public String toString() {
    return "SummaryClaim[reason="
        + reason
        + ", from="
        + fromSeconds
        + ", to="
        + toSeconds
        + ", metrics="
        + metrics.size()
        + "]";
  }
}
