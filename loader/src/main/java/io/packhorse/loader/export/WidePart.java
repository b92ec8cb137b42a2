package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes rows of a time and a column for each series, as comma-separated values. It takes the
 * points of all series for a span of time, in any order of series, and then {@link #write} makes
 * rows of them. One thread.
 */
public final class WidePart extends LinesPart {
  /** Series that have a column; with the time that is what a spreadsheet can open. */
  public static final int COLUMNS_MAX = (1 << 14) - 1;

  /** Points in memory: some 40 MB. */
  private static final int POINTS_MAX = 1 << 21;

  /** A key holds the offset in the hour, then the column, then where the value is. */
  private static final int COLUMN_BITS = 14;

  private static final int INDEX_BITS = 27;

  private final byte[] header;
  private final Map<SeriesName, Integer> columns = new HashMap<>();
  private long[] keys = new long[1 << 12];
  private long[] values = new long[1 << 12];
  private boolean[] isDouble = new boolean[1 << 12];
  private int count;
  private boolean counting;
  private boolean begun;

  /** The span of time has more points than memory is meant for; take less of it. */
  public static final class FullException extends IOException {
    private static final long serialVersionUID = 1;

    private FullException() {
      super("more than " + POINTS_MAX + " points");
    }
  }

  /**
   * @param series of the columns, at most {@link #COLUMNS_MAX}
   * @param output is closed with this
   */
  public WidePart(List<SeriesName> series, TextPart.Output output) {
    super(output);
    this.header = header(series).getBytes(StandardCharsets.UTF_8);
    series.forEach(name -> columns.put(name, columns.size()));
  }

  /** The first line, with its end. */
  public static String header(List<SeriesName> series) {
    StringBuilder line = new StringBuilder("time");
    for (SeriesName name : series) {
      line.append(',').append(CsvFileOut.quoted(title(name)));
    }
    return line.append('\n').toString();
  }

  /** {@code sys.cpu.user{cpu=0, host=web1}}, as Grafana calls it. */
  private static String title(SeriesName series) {
    StringBuilder title = new StringBuilder(series.metric()).append('{');
    Tags tags = series.tags();
    for (int i = 0; i < tags.size(); i++) {
      title.append(i == 0 ? "" : ", ").append(tags.key(i)).append('=').append(tags.value(i));
    }
    return title.append('}').toString();
  }

  /**
   * Begins a span of time, and forgets points that were not written.
   *
   * @param onlyCounted whether points are passed over, so that the caller may count any number
   */
  public void begin(boolean onlyCounted) {
    count = 0;
    counting = onlyCounted;
  }

  @Override
  public void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
      throws IOException, UnwritableException {
    Integer column = columns.get(series);
    if (column == null) {
      throw new UnwritableException(
          "the series " + series + " has no column, because it is newer than the export");
    }
    if (counting) {
      return;
    }
    if (count + to - from > POINTS_MAX) {
      throw new FullException();
    }
    if (count + to - from > keys.length) {
      int room = Math.min(POINTS_MAX, Math.max(count + to - from, 2 * keys.length));
      keys = Arrays.copyOf(keys, room);
      values = Arrays.copyOf(values, room);
      isDouble = Arrays.copyOf(isDouble, room);
    }
    for (int i = from; i < to; i++) {
      long at = ((long) points.offsetsMs()[i] << COLUMN_BITS) | column;
      keys[count] = (at << INDEX_BITS) | count;
      values[count] = points.values()[i];
      isDouble[count] = points.isDouble()[i];
      count++;
    }
  }

  /**
   * Writes the rows of all points taken since {@link #begin}.
   *
   * @param baseMs start of the hour that they lie in
   */
  public void write(long baseMs) throws IOException {
    Arrays.sort(keys, 0, count);
    int next = 0;
    while (next < count) {
      next = row(baseMs, next);
      flushIfFull();
    }
    count = 0;
  }

  /** Writes the row that begins with a point; returns the index of the next row's first. */
  private int row(long baseMs, int first) {
    if (!begun) {
      chunk.writeBytes(header, 0, header.length);
      begun = true;
    }
    chunk.ensureRoom((columns.size() + 1) * (NumberText.LENGTH_MAX + 1));
    byte[] text = chunk.array();
    long offset = keys[first] >>> (COLUMN_BITS + INDEX_BITS);
    int at = NumberText.put(baseMs + offset, text, chunk.length());
    int next = first;
    for (int column = 0; column < columns.size(); column++) {
      text[at++] = ',';
      if (next < count && keys[next] >>> INDEX_BITS == ((offset << COLUMN_BITS) | column)) {
        int index = (int) (keys[next] & ((1L << INDEX_BITS) - 1));
        at =
            isDouble[index]
                ? NumberText.putDouble(values[index], text, at)
                : NumberText.put(values[index], text, at);
        next++;
      }
    }
    text[at++] = '\n';
    chunk.advance(at - chunk.length());
    return next;
  }
}
