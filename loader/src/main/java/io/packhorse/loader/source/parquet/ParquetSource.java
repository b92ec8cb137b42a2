package io.packhorse.loader.source.parquet;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the points of one Parquet file, row by row, with one page of each column in memory. What
 * cannot be parsed becomes a reject with its row and column; if the file is damaged, the rows
 * before the damage are loaded. One thread.
 */
public final class ParquetSource implements PointSource {
  private static final int BATCH_POINTS = 1 << 14;
  private static final int BATCH_ROWS_MAX = 1 << 12;
  private static final byte[] NO_TEXT = {};

  private final Input input;
  private final TableChooser tables;

  /** Rows of the file from here on are not read. */
  private final long end;

  private final Points points;
  private final Points chunk;
  private @Nullable ParquetFile file;
  private @Nullable ParquetTable table;
  private List<ParquetColumn> columns = List.of();
  private int batchRows;

  /** The row group being read, or the next one if there are no values. */
  private int rowGroup;

  private List<ColumnValues> values = List.of();
  private long rowsLeft;
  private boolean ended;

  /** Rows given. */
  private long rows;

  private double uncompressedBytesPerRow;
  private double bytesPerRow;
  private long bytesReported;

  /**
   * @param tables asked when the file is opened
   * @param points gets what is read
   * @param from a position that a source of the same file gave; its input does not count
   */
  public ParquetSource(Input input, TableChooser tables, Points points, SourcePosition from) {
    this(input, tables, points, from, Long.MAX_VALUE);
  }

  /**
   * As {@link #ParquetSource(Input, TableChooser, Points, SourcePosition)}, for a part of the file.
   *
   * @param end row that is not read any more, the first of a row group, as {@link #cuts} gave it
   */
  public ParquetSource(
      Input input, TableChooser tables, Points points, SourcePosition from, long end) {
    this.input = input;
    this.end = end;
    this.tables = tables;
    this.points = points;
    this.chunk = points.forChunk();
    this.rows = from.offset();
  }

  /**
   * Checks whether a file can be read. Damage is reported later, as a reject.
   *
   * @throws InputException if the roles of its columns cannot be decided
   */
  public static void inspect(Input input, TableChooser tables) throws IOException {
    try (ParquetFile file = ParquetFile.open(input)) {
      if (!file.isEmpty()) {
        tables.choose(file);
      }
    } catch (DamagedInputException damaged) {
      // Becomes a reject when the file is read.
    }
  }

  /**
   * Rows at which parts of a file may begin, other than its first row.
   *
   * @param partBytes least bytes of a part but the last one
   * @return first rows of row groups, rising; empty if the file is damaged
   */
  public static List<Long> cuts(Input input, long partBytes) throws IOException {
    List<Long> cuts = new ArrayList<>();
    try (ParquetFile file = ParquetFile.open(input)) {
      long row = 0;
      long bytes = 0;
      for (int group = 0; group < file.rowGroups(); group++) {
        if (bytes >= partBytes) {
          cuts.add(row);
          bytes = 0;
        }
        row += file.rows(group);
        bytes += file.bytes(group);
      }
    } catch (DamagedInputException damaged) {
      return List.of();
    }
    return cuts;
  }

  /** Uncompressed bytes of the columns read so far. */
  public long offset() {
    return (long) (uncompressedBytesPerRow * rows);
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    if (ended) {
      return null;
    }
    long first = rows;
    chunk.begin(NO_TEXT);
    try {
      if (file == null) {
        open();
      }
      rows += ended ? 0 : read();
    } catch (DamagedInputException e) {
      damaged(0, String.valueOf(e.getMessage()));
    } catch (InputException e) {
      throw e;
    } catch (ClosedByInterruptException e) {
      Thread.interrupted();
      throw new InterruptedException("interrupted while reading");
    } catch (IOException e) {
      throw new InputException(input.name() + " cannot be read at row " + (rows + 1), e);
    }
    points.merge(chunk, input.name(), first + 1, 0);
    reportProgress();
    return chunk.batch();
  }

  /** Opens the file and skips to the first row to read. */
  private void open() throws IOException {
    ParquetFile opened = ParquetFile.open(input);
    file = opened;
    if (opened.isEmpty()) {
      ended = true;
      return;
    }
    ParquetTable how = tables.choose(opened);
    table = how;
    columns = how.columnsOf(opened);
    batchRows = Math.min(BATCH_ROWS_MAX, Math.max(1, BATCH_POINTS / how.valuesMax()));
    long all = 0;
    for (int group = 0; group < opened.rowGroups(); group++) {
      all += opened.rows(group);
    }
    uncompressedBytesPerRow = (double) opened.uncompressedBytes(columns) / Math.max(1, all);
    bytesPerRow = (double) input.size() / Math.max(1, all);
    bytesReported = (long) (bytesPerRow * rows);
    input.opener().read(bytesReported);
    goTo(opened);
  }

  private void goTo(ParquetFile opened) throws IOException {
    long toSkip = rows;
    while (rowGroup < opened.rowGroups() && toSkip >= opened.rows(rowGroup)) {
      toSkip -= opened.rows(rowGroup++);
    }
    if (toSkip > 0 && rowGroup < opened.rowGroups()) {
      begin(opened);
      for (ColumnValues column : values) {
        if (column.skip(toSkip) < toSkip) {
          throw new DamagedInputException(column.damage());
        }
      }
      rowsLeft -= toSkip;
    }
  }

  /** Begins the next row group. */
  private void begin(ParquetFile from) throws IOException {
    rowsLeft = from.rows(rowGroup);
    values = new ArrayList<>();
    for (int i = 0; i < columns.size() && rowsLeft > 0; i++) {
      values.add(from.values(rowGroup, columns.get(i), batchRows));
    }
  }

  /**
   * Reads some rows of a row group; returns how many, fewer than usual where the file is damaged.
   */
  private int read() throws IOException {
    ParquetFile from = Objects.requireNonNull(file);
    while (rowsLeft == 0 && rows < end && rowGroup < from.rowGroups()) {
      begin(from);
      rowGroup += rowsLeft == 0 ? 1 : 0;
    }
    if (rowsLeft == 0) {
      ended = true;
      return 0;
    }
    int wanted = (int) Math.min(batchRows, rowsLeft);
    int whole = wanted;
    String damage = "";
    for (ColumnValues column : values) {
      int read = column.read(wanted);
      if (read < whole) {
        whole = read;
        damage = column.damage();
      }
    }
    ParquetTable how = Objects.requireNonNull(table);
    for (int row = 0; row < whole; row++) {
      chunk.at(row);
      how.read(values, row, chunk);
    }
    if (whole < wanted) {
      damaged(whole, damage);
    }
    rowsLeft -= wanted;
    rowGroup += rowsLeft == 0 ? 1 : 0;
    return whole;
  }

  private void damaged(int row, String what) {
    ended = true;
    chunk.at(row);
    chunk.reject(Reason.INPUT_DAMAGED, what);
  }

  private void reportProgress() {
    long reached = ended ? input.size() : (long) (bytesPerRow * rows);
    input.opener().read(Math.max(0, reached - bytesReported));
    bytesReported = Math.max(bytesReported, reached);
  }

  @Override
  public Optional<SourcePosition> position() {
    return Optional.of(ended ? new SourcePosition(1, 0, 1) : new SourcePosition(0, rows, rows + 1));
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
