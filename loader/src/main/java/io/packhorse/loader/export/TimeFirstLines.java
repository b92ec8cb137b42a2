package io.packhorse.loader.export;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.BaseTime;
import java.nio.charset.StandardCharsets;

/**
 * Lines of a time as OpenTSDB reads it, and then a value.
 *
 * @param before the time
 * @param between time and value
 * @param after the value, with the end of the line
 */
record TimeFirstLines(byte[] before, byte[] between, byte[] after) implements SeriesLines {
  static TimeFirstLines of(String before, String between, String after) {
    return new TimeFirstLines(
        before.getBytes(StandardCharsets.UTF_8),
        between.getBytes(StandardCharsets.UTF_8),
        after.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void write(long baseMs, PointBlock points, int from, int to, ByteWriter into) {
    int lineMax = before.length + between.length + after.length + 2 * NumberText.LENGTH_MAX;
    into.ensureRoom(lineMax * (to - from));
    byte[] text = into.array();
    int[] offsets = points.offsetsMs();
    long[] values = points.values();
    boolean[] isDouble = points.isDouble();
    int at = into.length();
    for (int i = from; i < to; i++) {
      System.arraycopy(before, 0, text, at, before.length);
      at = time(baseMs + offsets[i], text, at + before.length);
      System.arraycopy(between, 0, text, at, between.length);
      at += between.length;
      at =
          isDouble[i]
              ? NumberText.putDouble(values[i], text, at)
              : NumberText.put(values[i], text, at);
      System.arraycopy(after, 0, text, at, after.length);
      at += after.length;
    }
    into.advance(at - into.length());
  }

  private static int time(long ms, byte[] text, int at) {
    long seconds = ms / 1000;
    if (seconds * 1000 == ms) {
      return NumberText.put(seconds, text, at);
    }
    return BaseTime.isMillis(ms)
        ? NumberText.put(ms, text, at)
        : NumberText.putDecimal(ms, 3, text, at);
  }
}
