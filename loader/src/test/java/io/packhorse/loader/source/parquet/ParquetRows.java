package io.packhorse.loader.source.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Writes Parquet files with the library.
 *
 * @param columns as the library writes a schema, without its frame
 * @param rowGroupBytes after which a row group ends, but not before 100 rows
 */
public record ParquetRows(
    String columns,
    CompressionCodecName codec,
    WriterVersion version,
    boolean dictionaries,
    long rowGroupBytes) {
  private static final int PAGE_ROWS = 100;

  /** As most files are. */
  public ParquetRows(String columns) {
    this(columns, CompressionCodecName.SNAPPY, WriterVersion.PARQUET_1_0, true, 1 << 20);
  }

  ParquetRows withRowGroupsOf(long bytes) {
    return new ParquetRows(columns, codec, version, dictionaries, bytes);
  }

  /**
   * Writes rows.
   *
   * @param row fills the one of a number
   */
  public Path write(Path file, int rows, BiConsumer<Group, Integer> row) throws IOException {
    MessageType type = MessageTypeParser.parseMessageType("message rows {" + columns + "}");
    SimpleGroupFactory groups = new SimpleGroupFactory(type);
    UnaryOperator<ExampleParquetWriter.Builder> settings =
        builder ->
            builder
                .withType(type)
                .withCompressionCodec(codec)
                .withWriterVersion(version)
                .withDictionaryEncoding(dictionaries)
                .withPageRowCountLimit(PAGE_ROWS)
                .withRowGroupSize(rowGroupBytes);
    Files.deleteIfExists(file);
    try (ParquetWriter<Group> writer =
        settings
            .apply(
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                    .withConf(new PlainParquetConfiguration()))
            .build()) {
      for (int i = 0; i < rows; i++) {
        Group group = groups.newGroup();
        row.accept(group, i);
        writer.write(group);
      }
    }
    return file;
  }
}
