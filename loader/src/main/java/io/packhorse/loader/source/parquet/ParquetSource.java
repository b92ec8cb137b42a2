package io.packhorse.loader.source.parquet;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.text.Points;
import io.packhorse.loader.source.text.Rejects.Reason;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Points of one Parquet file, row after row. Of each column one page is in memory. What is no point
 * becomes a reject with its row and column; where the file is damaged, the rows before are taken.
 * One thread.
 */
public final class ParquetSource implements PointSource {
  private static final int BATCH_POINTS = 1 << 14;
  private static final int BATCH_ROWS_MAX = 1 << 12;
  private static final byte[] NO_TEXT = {};

  private final Input input;
  private final TableChooser tables;
  private final Points points;
  private final Points piece;
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

  private double unpackedBytesOfRow;
  private double bytesOfRow;
  private long bytesTold;

  /**
   * @param tables asked when the file is opened
   * @param points gets what is read
   * @param from a position that a source of the same file gave; its input does not count
   */
  public ParquetSource(Input input, TableChooser tables, Points points, SourcePosition from) {
    this.input = input;
    this.tables = tables;
    this.points = points;
    this.piece = points.ofPiece();
    this.rows = from.offset();
  }

  /**
   * Looks whether a file can be read; that it is damaged is found when it is.
   *
   * @throws InputException if what its columns are cannot be found out
   */
  public static void look(Input input, TableChooser tables) throws IOException {
    try (ParquetFile file = ParquetFile.open(input)) {
      ParquetTable unused = tables.choose(file);
    } catch (DamagedInputException damaged) {
      // A reject when its turn comes.
    }
  }

  /** Bytes of the columns wanted that were given, once they are unpacked. */
  public long offset() {
    return (long) (unpackedBytesOfRow * rows);
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    if (ended) {
      return null;
    }
    long first = rows;
    piece.begin(NO_TEXT);
    try {
      if (file == null) {
        open();
      }
      rows += read();
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
    points.take(piece, input.name(), first + 1, 0);
    tell();
    return piece.batch();
  }

  /** Opens the file, and goes to the first row wanted. */
  private void open() throws IOException {
    ParquetFile opened = ParquetFile.open(input);
    file = opened;
    ParquetTable how = tables.choose(opened);
    table = how;
    columns = how.columnsOf(opened);
    batchRows = Math.min(BATCH_ROWS_MAX, Math.max(1, BATCH_POINTS / how.valuesMax()));
    long all = 0;
    for (int group = 0; group < opened.rowGroups(); group++) {
      all += opened.rows(group);
    }
    unpackedBytesOfRow = (double) opened.unpackedBytes(columns) / Math.max(1, all);
    bytesOfRow = (double) input.size() / Math.max(1, all);
    bytesTold = (long) (bytesOfRow * rows);
    input.opener().read(bytesTold);
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

  /** Reads some rows of a row group, as long as the file is whole; how many. */
  private int read() throws IOException {
    ParquetFile from = Objects.requireNonNull(file);
    while (rowsLeft == 0 && rowGroup < from.rowGroups()) {
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
      piece.at(row);
      how.read(values, row, piece);
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
    piece.at(row);
    piece.reject(Reason.INPUT_DAMAGED, what);
  }

  private void tell() {
    long reached = ended ? input.size() : (long) (bytesOfRow * rows);
    input.opener().read(Math.max(0, reached - bytesTold));
    bytesTold = Math.max(bytesTold, reached);
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
