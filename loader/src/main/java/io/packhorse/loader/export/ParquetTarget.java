package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Parquet files in a directory, one for each part that has points. Where a series has a tag key
 * that the part had not met before, another file with one column more begins.
 */
public final class ParquetTarget implements ExportTarget {
  private final Path directory;
  private final LongAdder rounded = new LongAdder();

  /**
   * @param directory exists
   */
  public ParquetTarget(Path directory) {
    this.directory = directory;
  }

  /** Integers beyond 2^53 that no double equals, in the parts that have ended. */
  @Override
  public long rounded() {
    return rounded.sum();
  }

  @Override
  public ExportPart open(int number) {
    return new Part(number);
  }

  private final class Part implements ExportPart {
    private final int number;
    private final ParquetRowGroup group = new ParquetRowGroup();
    private final Set<String> tagKeys = new TreeSet<>();
    private @Nullable ParquetFileOut file;
    private int files;
    private long bytes;

    private Part(int number) {
      this.number = number;
    }

    @Override
    public void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
        throws IOException {
      ParquetFileOut open = file;
      Tags tags = series.tags();
      if (open == null || !open.hasColumnsFor(tags)) {
        endFile();
        for (int i = 0; i < tags.size(); i++) {
          tagKeys.add(tags.key(i));
        }
        open = new ParquetFileOut(partial(), tagKeys);
        file = open;
      }
      group.add(series, baseSeconds * 1000, points, from, to);
      if (group.count() >= ParquetRowGroup.ROWS) {
        open.write(group);
        group.clear();
      }
    }

    private void endFile() throws IOException {
      ParquetFileOut open = file;
      if (open == null) {
        return;
      }
      if (group.count() > 0) {
        open.write(group);
        group.clear();
      }
      open.end();
      bytes += open.bytes();
      open.close();
      file = null;
      Files.move(partial(), complete(), StandardCopyOption.ATOMIC_MOVE);
      files++;
    }

    private Path complete() {
      String more = files == 0 ? "" : "-" + files;
      return directory.resolve(String.format(Locale.ROOT, "part-%05d%s.parquet", number, more));
    }

    private Path partial() {
      return directory.resolve(complete().getFileName() + ".partial");
    }

    @Override
    public void finish() throws IOException {
      endFile();
      rounded.add(group.rounded());
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void close() throws IOException {
      ParquetFileOut open = file;
      if (open != null) {
        open.close();
      }
    }
  }
}
