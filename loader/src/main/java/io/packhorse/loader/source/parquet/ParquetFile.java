package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.ColumnType;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.jspecify.annotations.Nullable;

/** One Parquet file: its columns and row groups. One thread. */
public final class ParquetFile implements Closeable {
  /** Length of the mark that a Parquet file begins with. */
  public static final int MAGIC_BYTES = 4;

  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};
  private static final byte[] MAGIC_ENCRYPTED = {'P', 'A', 'R', 'E'};
  private static final int TAIL_BYTES = Integer.BYTES + MAGIC_BYTES;

  /** Codecs supported: the library needs Hadoop for the others. */
  private static final Set<CompressionCodecName> CODECS =
      Collections.unmodifiableSet(
          EnumSet.of(
              CompressionCodecName.UNCOMPRESSED,
              CompressionCodecName.SNAPPY,
              CompressionCodecName.GZIP,
              CompressionCodecName.ZSTD,
              CompressionCodecName.LZ4_RAW));

  /** Rows of a sample, fewer of many columns. */
  private static final int SAMPLE_ROWS = 5000;

  private static final int SAMPLE_ROWS_MIN = 100;
  private static final int SAMPLE_WORDS = 500_000;

  private final String name;
  private final Path path;
  private final FileChannel channel;
  private final CodecFactory codecs = new CodecFactory(new PlainParquetConfiguration(), 0);
  private final ParquetMetadata metadata;
  private final @Nullable ParsedVersion writer;
  private final List<ParquetColumn> columns = new ArrayList<>();

  /** Where row groups end and the footer begins. */
  private final long end;

  private ParquetFile(String name, Path path, FileChannel channel) throws IOException {
    this.name = name;
    this.path = path;
    this.channel = channel;
    long tail = channel.size() - TAIL_BYTES;
    if (tail < MAGIC_BYTES || !startsLike(FileBytes.read(channel, 0, MAGIC_BYTES))) {
      throw new DamagedInputException("file does not begin as Parquet does");
    }
    ByteBuffer last =
        ByteBuffer.wrap(FileBytes.read(channel, tail, TAIL_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    int length = last.getInt();
    byte[] magic = Arrays.copyOfRange(last.array(), Integer.BYTES, TAIL_BYTES);
    if (Arrays.equals(magic, MAGIC_ENCRYPTED)) {
      throw new InputException(name + " is encrypted, which is not read here");
    }
    if (!startsLike(magic) || length < 0 || length > tail - MAGIC_BYTES) {
      throw new DamagedInputException("file is cut short: it does not end as Parquet does");
    }
    end = tail - length;
    metadata = metadata(FileBytes.read(channel, end, length));
    if (metadata.getBlocks().stream().anyMatch(rowGroup -> rowGroup.getRowCount() < 0)) {
      throw new DamagedInputException("footer is wrong about the rows of a row group");
    }
    checkCodecs();
    writer = writer(metadata.getFileMetaData().getCreatedBy());
    for (ColumnDescriptor column : metadata.getFileMetaData().getSchema().getColumns()) {
      columns.add(new ParquetColumn(column));
    }
  }

  private void checkCodecs() throws InputException {
    for (BlockMetaData rowGroup : metadata.getBlocks()) {
      for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
        if (!CODECS.contains(chunk.getCodec())) {
          throw new InputException(
              name
                  + ": column "
                  + chunk.getPath().toDotString()
                  + " is compressed with "
                  + chunk.getCodec()
                  + ", which is not supported: write the file with one of "
                  + CODECS);
        }
      }
    }
  }

  /** Whether a file that begins so is a Parquet file. */
  public static boolean startsLike(byte[] start) {
    return Arrays.equals(start, MAGIC) || Arrays.equals(start, MAGIC_ENCRYPTED);
  }

  /**
   * Opens a file.
   *
   * @throws InputException if it cannot be read
   * @throws DamagedInputException if it is not a Parquet file, or cut short
   */
  static ParquetFile open(Input input) throws IOException {
    Path file = input.opener().file().orElseThrow(() -> noFile(input.name()));
    FileChannel channel = FileChannel.open(file);
    try {
      return new ParquetFile(input.name(), file, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Parquet needs random access: its table of contents is at the end. */
  public static InputException noFile(String input) {
    return new InputException(
        input + ": Parquet is read from plain files only, not compressed and not from a pipe");
  }

  /** The library reports damage by exceptions of any type. */
  private static ParquetMetadata metadata(byte[] footer) throws IOException {
    try {
      return new ParquetMetadataConverter()
          .readParquetMetadata(
              new ByteArrayInputStream(footer), ParquetMetadataConverter.NO_FILTER);
    } catch (IOException | RuntimeException e) {
      throw new DamagedInputException("footer cannot be read: " + e.getMessage());
    }
  }

  private static @Nullable ParsedVersion writer(@Nullable String createdBy) {
    try {
      return createdBy == null ? null : VersionParser.parse(createdBy);
    } catch (VersionParseException e) {
      return null;
    }
  }

  /** Of the input. */
  public String name() {
    return name;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** All columns that hold values, those of groups among them. */
  List<ParquetColumn> columns() {
    return columns;
  }

  /** The column of a name. */
  Optional<ParquetColumn> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  int rowGroups() {
    return metadata.getBlocks().size();
  }

  /** Rows of a row group. */
  long rows(int rowGroup) {
    return metadata.getBlocks().get(rowGroup).getRowCount();
  }

  /** Bytes of a row group on disk, as the footer states. */
  long bytes(int rowGroup) {
    return metadata.getBlocks().get(rowGroup).getCompressedSize();
  }

  /** Uncompressed bytes of some columns, as the footer states. */
  long uncompressedBytes(List<ParquetColumn> some) throws IOException {
    long bytes = 0;
    for (BlockMetaData rowGroup : metadata.getBlocks()) {
      for (ParquetColumn column : some) {
        bytes += chunk(rowGroup, column).getTotalUncompressedSize();
      }
    }
    return bytes;
  }

  /**
   * The values of a column in a row group that has rows.
   *
   * @param rowsMax most rows to read at a time
   * @throws DamagedInputException if the footer is wrong about their position
   */
  ColumnValues values(int rowGroup, ParquetColumn column, int rowsMax) throws IOException {
    ColumnChunkMetaData chunk = chunk(metadata.getBlocks().get(rowGroup), column);
    long start = chunk.getStartingPos();
    if (start < MAGIC_BYTES || start >= end || chunk.getValueCount() != rows(rowGroup)) {
      throw new DamagedInputException(
          "footer is wrong about column " + column.name() + " in row group " + rowGroup);
    }
    return new ColumnValues(
        column,
        new ColumnPages(
            new FileBytes(channel, start, end),
            codecs.getDecompressor(chunk.getCodec()),
            column.descriptor().getPrimitiveType(),
            chunk.getValueCount()),
        writer,
        rowsMax);
  }

  private static ColumnChunkMetaData chunk(BlockMetaData rowGroup, ParquetColumn column)
      throws DamagedInputException {
    ColumnPath path = ColumnPath.get(column.descriptor().getPath());
    for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
      if (chunk.getPath().equals(path)) {
        return chunk;
      }
    }
    throw new DamagedInputException("column " + column.name() + " is missing in a row group");
  }

  /** Whether there is nothing to load. */
  boolean isEmpty() {
    return metadata.getBlocks().stream().allMatch(rowGroup -> rowGroup.getRowCount() == 0);
  }

  /**
   * The first rows, as words; what is null, or not of a type that is loaded, is an empty word.
   *
   * @throws DamagedInputException if there are rows, but the first cannot be read
   */
  List<List<String>> sample() throws IOException {
    int most = Math.min(SAMPLE_ROWS, Math.max(SAMPLE_ROWS_MIN, SAMPLE_WORDS / columns.size()));
    List<List<String>> rows = new ArrayList<>();
    String damage = "";
    for (int group = 0; group < rowGroups() && rows.size() < most && damage.isEmpty(); group++) {
      int wanted = (int) Math.min(most - rows.size(), rows(group));
      List<ColumnValues> read = new ArrayList<>();
      int whole = wanted;
      for (ParquetColumn column : columns) {
        if (wanted > 0 && column.type() != ColumnType.OTHER) {
          ColumnValues values = values(group, column, wanted);
          read.add(values);
          whole = Math.min(whole, values.read(wanted));
          damage = damage.isEmpty() ? values.damage() : damage;
        }
      }
      for (int row = 0; row < whole; row++) {
        rows.add(words(read, row));
      }
    }
    if (rows.isEmpty() && !damage.isEmpty()) {
      throw new DamagedInputException(damage);
    }
    return rows;
  }

  /** The words of a row, of all columns. */
  private List<String> words(List<ColumnValues> read, int row) {
    List<String> words = new ArrayList<>();
    int next = 0;
    for (ParquetColumn column : columns) {
      if (column.type() == ColumnType.OTHER) {
        words.add("");
      } else {
        ColumnValues values = read.get(next++);
        words.add(values.isPresent(row) ? column.text(values, row) : "");
      }
    }
    return words;
  }

  @Override
  public void close() throws IOException {
    codecs.release();
    channel.close();
  }
}
