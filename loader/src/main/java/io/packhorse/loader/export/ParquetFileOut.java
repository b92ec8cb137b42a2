package io.packhorse.loader.export;

import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.packhorse.loader.export.ParquetRowGroup.Hour;
import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * Writes one Parquet file: columns {@code metric}, {@code time}, {@code value} and one for each tag
 * key. Metric and tags are dictionaries, and hours of a series make runs, so these columns take no
 * work for each row; the library's own writer would take more than all else. One thread.
 */
final class ParquetFileOut implements TableFile {
  private static final int PAGE_ROWS = 1 << 16;
  private static final int ZSTD_LEVEL = 1;
  private static final int DELTA_BLOCK = 128;
  private static final int DELTA_MINI_BLOCKS = 4;

  /** Lengths at which names in statistics and indexes may be cut. */
  private static final int NAME_LENGTH_MAX = 64;

  private static final String METRIC = "metric";
  private static final String TIME = "time";
  private static final String VALUE = "value";

  private final Set<String> tagKeys;
  private final MessageType schema;
  private final ParquetFileWriter writer;
  private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(ZSTD_LEVEL);
  private final DeltaBinaryPackingValuesWriterForLong deltas =
      new DeltaBinaryPackingValuesWriterForLong(
          DELTA_BLOCK,
          DELTA_MINI_BLOCKS,
          1 << 12,
          PAGE_ROWS * Long.BYTES,
          new HeapByteBufferAllocator());
  private final ByteWriter page = new ByteWriter(PAGE_ROWS * Double.BYTES);
  private final boolean inFolder;
  private final boolean integers;
  private final ParquetRowGroup group;
  private byte[] compressed = {};
  private long bytes;

  /**
   * @param tagKeys of all series that will be written
   * @param inFolder whether there is no column for the metric
   * @param integers whether all values are integers, else they are doubles
   */
  ParquetFileOut(Path file, Set<String> tagKeys, boolean inFolder, boolean integers)
      throws IOException {
    this.tagKeys = new TreeSet<>(tagKeys);
    this.inFolder = inFolder;
    this.integers = integers;
    this.group = new ParquetRowGroup(integers);
    Types.MessageTypeBuilder columns = Types.buildMessage();
    if (!inFolder) {
      columns.required(BINARY).as(stringType()).named(METRIC);
    }
    columns.required(INT64).as(timestampType(true, TimeUnit.MILLIS)).named(TIME);
    columns.required(integers ? INT64 : DOUBLE).named(VALUE);
    for (String key : this.tagKeys) {
      columns.optional(BINARY).as(stringType()).named(TableFile.columnOf(key, inFolder));
    }
    schema = columns.named("points");
    writer =
        new ParquetFileWriter(
            new LocalOutputFile(file),
            schema,
            ParquetFileWriter.Mode.OVERWRITE,
            Long.MAX_VALUE,
            0,
            NAME_LENGTH_MAX,
            NAME_LENGTH_MAX,
            false);
    writer.start();
  }

  @Override
  public void take(SeriesName series, long baseMs, PointBlock points, int from, int to)
      throws IOException, UnwritableException {
    group.add(series, baseMs, points, from, to);
    if (group.count() >= ParquetRowGroup.ROWS) {
      write();
    }
  }

  /** Writes a row group. */
  private void write() throws IOException {
    List<Hour> hours = group.sorted();
    int rows = group.count();
    writer.startBlock(rows);
    if (!inFolder) {
      names(METRIC, hours, rows, SeriesName::metric);
    }
    times(group.times(), rows);
    values(group.values(), rows);
    for (String key : tagKeys) {
      names(TableFile.columnOf(key, inFolder), hours, rows, series -> valueOf(key, series.tags()));
    }
    writer.endBlock();
    group.clear();
  }

  private static @Nullable String valueOf(String key, Tags tags) {
    for (int i = 0; i < tags.size(); i++) {
      if (tags.key(i).equals(key)) {
        return tags.value(i);
      }
    }
    return null;
  }

  /** Writes a column that has one value, or none, for a whole series. */
  private void names(
      String name, List<Hour> hours, int rows, Function<SeriesName, @Nullable String> of)
      throws IOException {
    Map<String, Integer> dictionary = new LinkedHashMap<>();
    List<int[]> runs = new ArrayList<>();
    int nulls = 0;
    int last = -1;
    int number = -1;
    for (Hour hour : hours) {
      if (hour.seriesNumber() != last) {
        last = hour.seriesNumber();
        String value = of.apply(hour.series());
        number = value == null ? -1 : dictionary.computeIfAbsent(value, key -> dictionary.size());
      }
      nulls += number < 0 ? hour.count() : 0;
      int[] run = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (run != null && run[0] == number) {
        run[1] += hour.count();
      } else {
        runs.add(new int[] {number, hour.count()});
      }
    }
    ColumnDescriptor column = schema.getColumnDescription(new String[] {name});
    Statistics<?> statistics = Statistics.createStats(column.getPrimitiveType());
    page.reset();
    for (String value : dictionary.keySet()) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      page.writeIntLE(text.length);
      page.writeBytes(text, 0, text.length);
      statistics.updateStats(Binary.fromConstantByteArray(text));
    }
    statistics.incrementNumNulls(nulls);
    writer.startColumn(column, rows, CompressionCodecName.ZSTD);
    writer.writeDictionaryPage(
        new DictionaryPage(compressed(), page.length(), dictionary.size(), Encoding.PLAIN));
    page.reset();
    if (column.getMaxDefinitionLevel() > 0) {
      levels(runs);
    }
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, dictionary.size() - 1));
    page.writeByte(width);
    for (int[] run : runs) {
      if (run[0] >= 0) {
        run(run[0], run[1], (width + 7) / 8);
      }
    }
    page(rows, rows, statistics, Encoding.RLE_DICTIONARY);
    writer.endColumn();
  }

  /** Which rows have a value, after the length in bytes. */
  private void levels(List<int[]> runs) {
    int start = page.length();
    page.writeIntLE(0);
    int rows = 0;
    for (int i = 0; i < runs.size(); i++) {
      rows += runs.get(i)[1];
      boolean present = runs.get(i)[0] >= 0;
      if (i == runs.size() - 1 || present != runs.get(i + 1)[0] >= 0) {
        run(present ? 1 : 0, rows, 1);
        rows = 0;
      }
    }
    int length = page.length() - start - Integer.BYTES;
    for (int i = 0; i < Integer.BYTES; i++) {
      page.array()[start + i] = (byte) (length >>> (8 * i));
    }
  }

  /** A run of Parquet's hybrid encoding of run lengths and packed bits. */
  private void run(int value, int count, int width) {
    page.writeVarInt(count << 1);
    for (int i = 0; i < width; i++) {
      page.writeByte(value >>> (8 * i));
    }
  }

  private void times(long[] times, int rows) throws IOException {
    ColumnDescriptor column = schema.getColumnDescription(new String[] {TIME});
    writer.startColumn(column, rows, CompressionCodecName.ZSTD);
    for (int from = 0; from < rows; from += PAGE_ROWS) {
      int to = Math.min(rows, from + PAGE_ROWS);
      long min = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      deltas.reset();
      for (int i = from; i < to; i++) {
        min = Math.min(min, times[i]);
        max = Math.max(max, times[i]);
        deltas.writeLong(times[i]);
      }
      BytesInput encoded = deltas.getBytes();
      int length = (int) encoded.size();
      page.reset();
      page.ensureRoom(length);
      page.advance(encoded.toInputStream().readNBytes(page.array(), 0, length));
      Statistics<?> statistics = Statistics.createStats(column.getPrimitiveType());
      statistics.updateStats(min);
      statistics.updateStats(max);
      statistics.incrementNumNulls(0);
      page(to - from, to - from, statistics, Encoding.DELTA_BINARY_PACKED);
    }
    writer.endColumn();
  }

  private void values(long[] values, int rows) throws IOException {
    ColumnDescriptor column = schema.getColumnDescription(new String[] {VALUE});
    writer.startColumn(column, rows, CompressionCodecName.ZSTD);
    for (int from = 0; from < rows; from += PAGE_ROWS) {
      int to = Math.min(rows, from + PAGE_ROWS);
      page.reset();
      for (int i = from; i < to; i++) {
        page.writeLongLE(values[i]);
      }
      Statistics<?> statistics = Statistics.createStats(column.getPrimitiveType());
      if (integers) {
        integerBounds(values, from, to, statistics);
      } else {
        doubleBounds(values, from, to, statistics);
      }
      statistics.incrementNumNulls(0);
      page(to - from, to - from, statistics, Encoding.PLAIN);
    }
    writer.endColumn();
  }

  private static void integerBounds(long[] values, int from, int to, Statistics<?> statistics) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    statistics.updateStats(min);
    statistics.updateStats(max);
  }

  private static void doubleBounds(long[] bits, int from, int to, Statistics<?> statistics) {
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (int i = from; i < to; i++) {
      // Both are NaN as soon as one value is.
      min = Math.min(min, Double.longBitsToDouble(bits[i]));
      max = Math.max(max, Double.longBitsToDouble(bits[i]));
    }
    if (!Double.isNaN(min)) {
      // The format's rule for zeros, which readers may compare as equal.
      statistics.updateStats(min == 0 ? -0.0 : min);
      statistics.updateStats(max == 0 ? 0.0 : max);
    }
  }

  private void page(int valueCount, int rows, Statistics<?> statistics, Encoding encoding)
      throws IOException {
    writer.writeDataPage(
        valueCount,
        page.length(),
        compressed(),
        statistics,
        rows,
        Encoding.RLE,
        Encoding.RLE,
        encoding);
  }

  /** What {@link #page} holds, compressed; valid until the next call. */
  private BytesInput compressed() {
    int bound = (int) Zstd.compressBound(page.length());
    if (compressed.length < bound) {
      compressed = new byte[bound];
    }
    int length = zstd.compressByteArray(compressed, 0, bound, page.array(), 0, page.length());
    return BytesInput.from(compressed, 0, length);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long rounded() {
    return group.rounded();
  }

  @Override
  public void end() throws IOException {
    if (group.count() > 0) {
      write();
    }
    writer.end(Map.of());
    bytes = writer.getPos();
  }

  @Override
  public void close() throws IOException {
    zstd.close();
    deltas.close();
    writer.close();
  }
}
