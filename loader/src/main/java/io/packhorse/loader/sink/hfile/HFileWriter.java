package io.packhorse.loader.sink.hfile;

import io.packhorse.loader.cell.CellWrite;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilder;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.jspecify.annotations.Nullable;

/**
 * Writes one HFile of one region. The only class that uses HBase's own writer, which is not part of
 * its public interface: check it with each new HBase version. One thread.
 *
 * <p>Bloom filter and block size are those of the column family; encoding and compression too, if
 * the first value is shorter than {@value #LONG_VALUE} bytes. Longer packed values hardly compress.
 */
final class HFileWriter implements Closeable {
  /** Packed values of this many bytes or more are not compressed. */
  private static final int LONG_VALUE = 1024;

  private final Path file;
  private final byte[] family;
  private final StoreFileWriter writer;
  private final CellBuilder builder = CellBuilderFactory.create(CellBuilderType.DEEP_COPY);
  private final FileSystem files;
  private byte[] firstRow = {};
  private @Nullable CellWrite last;
  private long points;
  private long cells;
  private boolean finished;

  /**
   * Creates the file.
   *
   * @param file must not exist; its folder is created
   * @param first cell, which decides about compression; it is not written
   */
  HFileWriter(
      Configuration conf,
      FileSystem files,
      Path file,
      TableName table,
      ColumnFamilyDescriptor family,
      CellWrite first)
      throws IOException {
    this.file = file;
    this.files = files;
    this.family = family.getName();
    boolean dense = first.value().length >= LONG_VALUE;
    HFileContext context =
        new HFileContextBuilder()
            .withBlockSize(family.getBlocksize())
            .withCompression(dense ? Compression.Algorithm.NONE : family.getCompressionType())
            .withDataBlockEncoding(dense ? DataBlockEncoding.NONE : family.getDataBlockEncoding())
            .withHBaseCheckSum(true)
            .withChecksumType(ChecksumType.CRC32C)
            .withIncludesMvcc(false)
            .withIncludesTags(false)
            .withColumnFamily(this.family)
            .withTableName(table.getName())
            .withCreateTime(System.currentTimeMillis())
            .build();
    writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, files)
            .withFilePath(file)
            .withBloomType(family.getBloomFilterType())
            .withFileContext(context)
            .build();
  }

  /** Whether a cell comes after all cells written so far. */
  boolean accepts(CellWrite cell) {
    return last == null || CellOrder.INSTANCE.compare(last, cell) < 0;
  }

  /**
   * Appends a cell that {@link #accepts} allows.
   *
   * @throws IOException if the file system fails, or the cell is out of order
   */
  void append(CellWrite cell) throws IOException {
    Cell stored =
        builder
            .clear()
            .setRow(cell.rowKey())
            .setFamily(family)
            .setQualifier(cell.qualifier())
            .setTimestamp(cell.stampMs())
            .setType(Cell.Type.Put)
            .setValue(cell.value())
            .build();
    try {
      writer.append(stored);
    } catch (FSError e) {
      throw ofDisk(e);
    }
    if (last == null) {
      firstRow = cell.rowKey();
    }
    points += cell.points();
    cells++;
    last = cell;
  }

  /** Cells appended. */
  long cells() {
    return cells;
  }

  /** Counts points of cells that were not written because a later equal cell replaced them. */
  void countReplaced(int replacedPoints) {
    points += replacedPoints;
  }

  /** Completes the file, which must have a cell. */
  RegionFile finish() throws IOException {
    CellWrite end = last;
    if (end == null) {
      throw new IllegalStateException("an HFile needs a cell: file=" + file);
    }
    try {
      writer.appendFileInfo(
          HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
      writer.appendFileInfo(HStoreFile.BULKLOAD_TASK_KEY, Bytes.toBytes("packhorse"));
      writer.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(true));
      writer.appendFileInfo(HStoreFile.EXCLUDE_FROM_MINOR_COMPACTION_KEY, Bytes.toBytes(false));
      writer.appendTrackedTimestampsToMetadata();
      writer.close();
    } catch (FSError e) {
      throw ofDisk(e);
    }
    finished = true;
    return new RegionFile(
        file,
        files.getFileStatus(file).getLen(),
        Optional.empty(),
        points,
        firstRow,
        end.rowKey(),
        end.qualifier());
  }

  /** Hadoop's local file system reports a full disk as an Error. */
  private static IOException ofDisk(FSError e) {
    Throwable cause = e.getCause();
    return cause instanceof IOException disk ? disk : new IOException(e.getMessage(), e);
  }

  /** Abandons an unfinished file, whose folder will be deleted. Does nothing after finish. */
  @Override
  public void close() {
    if (finished) {
      return;
    }
    finished = true;
    try {
      writer.close();
    } catch (IOException | FSError ignored) {
      // The file is not needed; the failure that made the load abandon it is reported.
    }
  }
}
