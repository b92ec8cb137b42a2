package io.packhorse.benchmarks.cells;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/**
 * What short hours take on disk: 128 series of 60 points an hour over 400 hours, in the order of a
 * table of four salt buckets, written by HBase itself as one file a bucket; keys, framing, row
 * bloom filter, indexes and all. In a process of its own, since HBase has a class path of its own.
 */
final class HFileSizes {
  private static final int SERIES = 128;
  private static final int HOURS = 400;
  private static final int POINTS = 60;
  private static final int BUCKETS = 4;
  private static final int BLOCK_BYTES = 64 << 10;
  private static final long BASE_SECONDS = 1_356_998_400;
  private static final int HOUR_SECONDS = 3600;
  private static final long STAMP_MS = 1_700_000_000_000L;

  private static final RowKeyLayout KEYS =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, BUCKETS));

  /** A cell to be written. */
  private record Stored(byte[] row, String family, byte[] qualifier, byte[] value) {
    KeyValue keyValue() {
      return new KeyValue(row, family.getBytes(US_ASCII), qualifier, STAMP_MS, value);
    }
  }

  private HFileSizes() {}

  /** Prints a line each: system, block encoding, compression, bytes a point. */
  public static void main(String[] shapes) throws IOException {
    CellShape shape =
        CellShapes.all().stream()
            .filter(each -> each.id().equals(shapes[0]))
            .findAny()
            .orElseThrow();
    Configuration configuration = HBaseConfiguration.create();
    configuration.set(
        "hbase.io.compress.zstd.codec", "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");
    // It has read its settings from files on the class path already.
    Objects.requireNonNull(Compression.Algorithm.ZSTD.reload(configuration));
    List<List<PointBlock>> series = series(shape);
    PackedCodec packed = new PackedCodec();
    byte[] qualifier = new PackedQualifier(1, 0).toBytes();
    List<Stored> cells = new ArrayList<>();
    forEach(
        series, (row, block) -> cells.add(new Stored(row, "p", qualifier, packed.encode(block))));
    print(packed.system(), cells, configuration);
    CompactedCodec compacted = new CompactedCodec();
    cells.clear();
    forEach(
        series,
        (row, block) -> {
          CompactedCodec.Column column = compacted.encode(block);
          cells.add(new Stored(row, "t", column.qualifier(), column.value()));
        });
    print(compacted.system(), cells, configuration);
  }

  private interface Rows {
    void add(byte[] row, PointBlock block) throws IOException;
  }

  /** Each series continues from hour to hour. */
  private static List<List<PointBlock>> series(CellShape shape) {
    List<List<PointBlock>> all = new ArrayList<>();
    long[] bits = new long[HOURS * POINTS];
    for (int i = 0; i < SERIES; i++) {
      shape.values().fill(new Draws(i), bits);
      List<PointBlock> blocks = new ArrayList<>();
      CellShape.addRegular(bits, bits.length, shape.areDoubles(), POINTS, blocks);
      all.add(blocks);
    }
    return all;
  }

  private static void forEach(List<List<PointBlock>> series, Rows rows) throws IOException {
    for (int i = 0; i < SERIES; i++) {
      Tsuid tsuid = Tsuid.of(UidWidths.DEFAULT, 1, 1, i + 1L);
      for (int hour = 0; hour < HOURS; hour++) {
        rows.add(
            KEYS.rowKey(tsuid, BASE_SECONDS + (long) hour * HOUR_SECONDS), series.get(i).get(hour));
      }
    }
  }

  private static void print(String system, List<Stored> cells, Configuration configuration)
      throws IOException {
    cells.sort(Comparator.comparing(Stored::row, Arrays::compareUnsigned));
    for (DataBlockEncoding encoding :
        List.of(DataBlockEncoding.NONE, DataBlockEncoding.FAST_DIFF)) {
      for (Compression.Algorithm compression :
          List.of(Compression.Algorithm.NONE, Compression.Algorithm.ZSTD)) {
        long bytes = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
          int salt = bucket;
          bytes +=
              write(
                  cells.stream().filter(cell -> cell.row[0] == salt).toList(),
                  encoding,
                  compression,
                  configuration);
        }
        System.out.printf(
            "%s %s %s %.4f%n",
            system, encoding, compression, (double) bytes / cells.size() / POINTS);
      }
    }
  }

  /** Writes a file; returns its size in bytes. */
  private static long write(
      List<Stored> cells,
      DataBlockEncoding encoding,
      Compression.Algorithm compression,
      Configuration configuration)
      throws IOException {
    java.nio.file.Path directory = Files.createTempDirectory("packhorse-hfile");
    FileSystem files = FileSystem.getLocal(configuration);
    try {
      StoreFileWriter writer =
          new StoreFileWriter.Builder(configuration, files)
              .withOutputDir(new Path(directory.toUri()))
              .withBloomType(BloomType.ROW)
              .withMaxKeyCount(cells.size())
              .withFileContext(
                  new HFileContextBuilder()
                      .withBlockSize(BLOCK_BYTES)
                      .withDataBlockEncoding(encoding)
                      .withCompression(compression)
                      .build())
              .build();
      for (Stored cell : cells) {
        writer.append(cell.keyValue());
      }
      writer.appendMetadata(1, true);
      writer.close();
      return files.getFileStatus(writer.getPath()).getLen();
    } finally {
      files.delete(new Path(directory.toUri()), true);
    }
  }
}
