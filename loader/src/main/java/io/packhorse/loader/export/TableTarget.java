package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Tables in a directory, with columns {@code metric}, {@code time}, {@code value} and one for each
 * tag key; a file for each part that has points. Where a series has a tag key that the part had not
 * met before, another file with one column more begins.
 */
public final class TableTarget implements ExportTarget {
  private final Path directory;
  private final TableFile.Form form;
  private final String suffix;
  private final LongAdder rounded = new LongAdder();

  private TableTarget(Path directory, TableFile.Form form, String suffix) {
    this.directory = directory;
    this.form = form;
    this.suffix = suffix;
  }

  /**
   * Parquet files; values are doubles.
   *
   * @param directory exists
   */
  public static TableTarget parquet(Path directory) {
    return new TableTarget(directory, ParquetFileOut::new, "parquet");
  }

  /**
   * Comma-separated values with a header; times are milliseconds.
   *
   * @param directory exists
   */
  public static TableTarget csv(Path directory) {
    return new TableTarget(directory, CsvFileOut::new, "csv");
  }

  @Override
  public long rounded() {
    return rounded.sum();
  }

  @Override
  public ExportPart open(int number) throws IOException {
    CompleteFile.deleteAll(directory, number);
    return new Part(number);
  }

  private final class Part implements ExportPart {
    private final int number;
    private final Set<String> tagKeys = new TreeSet<>();
    private @Nullable TableFile file;
    private int files;
    private long bytes;

    private Part(int number) {
      this.number = number;
    }

    @Override
    public void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
        throws IOException {
      boolean added = false;
      Tags tags = series.tags();
      for (int i = 0; i < tags.size(); i++) {
        added |= tagKeys.add(tags.key(i));
      }
      if (added) {
        endFile();
      }
      TableFile open = file;
      if (open == null) {
        open = form.open(CompleteFile.partial(complete()), tagKeys);
        file = open;
      }
      open.take(series, baseSeconds * 1000, points, from, to);
    }

    private void endFile() throws IOException {
      TableFile open = file;
      if (open == null) {
        return;
      }
      open.end();
      open.close();
      bytes += open.bytes();
      rounded.add(open.rounded());
      file = null;
      CompleteFile.of(CompleteFile.partial(complete()), complete());
      files++;
    }

    private Path complete() {
      return CompleteFile.of(directory, number, files, suffix);
    }

    @Override
    public void finish() throws IOException {
      endFile();
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void close() throws IOException {
      TableFile open = file;
      if (open != null) {
        open.close();
      }
    }
  }
}
