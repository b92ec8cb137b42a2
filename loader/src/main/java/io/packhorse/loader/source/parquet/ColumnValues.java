package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.table.LocalTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.jspecify.annotations.Nullable;

/**
 * The values of a column in a row group, some rows at a time, by their number among these. One
 * thread.
 */
final class ColumnValues {
  private final ParquetColumn column;
  private final ColumnPages pages;
  private final @Nullable ParsedVersion writer;
  private final boolean[] present;
  private final long[] numbers;
  private final Binary[] binaries;
  private @Nullable ColumnReader reader;
  private String damage = "";

  /**
   * @param writer of the file, if it says: some have written what needs another reading
   * @param rowsMax most rows to read at a time
   */
  ColumnValues(
      ParquetColumn column, ColumnPages pages, @Nullable ParsedVersion writer, int rowsMax) {
    this.column = column;
    this.pages = pages;
    this.writer = writer;
    this.present = new boolean[rowsMax];
    this.numbers = new long[rowsMax];
    this.binaries = new Binary[rowsMax];
    Arrays.fill(binaries, Binary.EMPTY);
  }

  ParquetColumn column() {
    return column;
  }

  /** What is wrong with the rows behind those last read, or empty. */
  String damage() {
    return damage;
  }

  /**
   * Reads the next rows, which are there.
   *
   * @return how many; fewer than wanted if the file is damaged there
   * @throws IOException if the file cannot be read
   */
  int read(int rows) throws IOException {
    return forward(rows, true);
  }

  /** Skips rows; otherwise as {@link #read}. */
  long skip(long rows) throws IOException {
    long skipped = 0;
    while (skipped < rows && damage.isEmpty()) {
      skipped += forward((int) Math.min(present.length, rows - skipped), false);
    }
    return skipped;
  }

  /** The library reports damage by exceptions of any type. */
  private int forward(int rows, boolean wanted) throws IOException {
    int row = 0;
    try {
      while (row < rows) {
        ColumnReader from = next();
        present[row] =
            from.getCurrentDefinitionLevel() == column.descriptor().getMaxDefinitionLevel();
        if (present[row] && wanted) {
          take(from, row);
        } else if (present[row]) {
          from.skip();
        }
        row++;
      }
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof DamagedInputException)) {
        throw e.getCause();
      }
      damage = "column " + column.name() + ": " + e.getCause().getMessage();
    } catch (RuntimeException e) {
      damage = "column " + column.name() + " cannot be read: " + e;
    }
    return row;
  }

  /** The reader, at the next row. */
  private ColumnReader next() {
    ColumnReader from = reader;
    if (from == null) {
      from = new ColumnReaderImpl(column.descriptor(), pages, new PrimitiveConverter() {}, writer);
      reader = from;
    } else {
      from.consume();
    }
    return from;
  }

  private void take(ColumnReader from, int row) {
    switch (column.descriptor().getPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> numbers[row] = from.getInteger();
      case INT64 -> numbers[row] = from.getLong();
      case FLOAT -> numbers[row] = Float.floatToRawIntBits(from.getFloat());
      case DOUBLE -> numbers[row] = Double.doubleToRawLongBits(from.getDouble());
      case BOOLEAN -> numbers[row] = from.getBoolean() ? 1 : 0;
      case INT96, BINARY, FIXED_LEN_BYTE_ARRAY -> binaries[row] = from.getBinary();
    }
  }

  /** Whether there is a value and not null. */
  boolean isPresent(int row) {
    return present[row];
  }

  /** A number, or the raw bits of one. */
  long number(int row) {
    return numbers[row];
  }

  /** Bytes, or {@link Binary#EMPTY} if values are stored as numbers. */
  Binary binary(int row) {
    return binaries[row];
  }

  /** As {@link ParquetColumn#value}. */
  @Nullable Reason value(int row, ValueReader into) {
    return column.value(this, row, into);
  }

  /** As {@link ParquetColumn#millis}. */
  long millis(int row, LocalTimes local) {
    return column.millis(this, row, local);
  }

  /** Column and value, for people. */
  String show(int row) {
    return column.name() + (present[row] ? "=" + column.text(this, row) : " is null");
  }
}
