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
 * Tables, with columns {@code metric}, {@code time}, {@code value} and one for each tag key; a file
 * for each part that has points. Where a series has a tag key that the part had not met before,
 * another file with one column more begins.
 */
public final class TableFiles implements FileForm {
  private final TableFile.Form form;
  private final String suffix;
  private final LongAdder rounded = new LongAdder();

  private TableFiles(TableFile.Form form, String suffix) {
    this.form = form;
    this.suffix = suffix;
  }

  /**
   * Parquet files.
   *
   * @param integers whether all values are integers, else they are doubles
   */
  public static TableFiles parquet(boolean integers) {
    return new TableFiles(
        (file, tagKeys, inFolder) -> new ParquetFileOut(file, tagKeys, inFolder, integers),
        "parquet");
  }

  /** Comma-separated values with a header; times are milliseconds. */
  public static TableFiles csv() {
    return new TableFiles(CsvFileOut::new, "csv");
  }

  @Override
  public String suffix() {
    return suffix;
  }

  @Override
  public long rounded() {
    return rounded.sum();
  }

  @Override
  public ExportPart open(PartFiles files) {
    return new Part(files);
  }

  private final class Part implements ExportPart {
    private final PartFiles files;
    private final Set<String> tagKeys = new TreeSet<>();
    private @Nullable Path path;
    private @Nullable TableFile file;
    private long bytes;

    private Part(PartFiles files) {
      this.files = files;
    }

    @Override
    public void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
        throws IOException, UnwritableException {
      boolean added = false;
      Tags tags = series.tags();
      for (int i = 0; i < tags.size(); i++) {
        added |= tagKeys.add(tags.key(i));
      }
      if (added) {
        endFile();
      }
      Path writing = file == null || path == null ? files.next() : path;
      path = writing;
      try {
        if (file == null) {
          file = form.open(PartFiles.partial(writing), tagKeys, files.areInFolders());
        }
        file.take(series, baseSeconds * 1000, points, from, to);
      } catch (IOException e) {
        throw PartFiles.failed(writing, e);
      }
    }

    private void endFile() throws IOException {
      TableFile open = file;
      Path complete = path;
      if (open == null || complete == null) {
        return;
      }
      try {
        open.end();
        open.close();
      } catch (IOException e) {
        throw PartFiles.failed(complete, e);
      }
      bytes += open.bytes();
      rounded.add(open.rounded());
      file = null;
      PartFiles.complete(complete);
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
