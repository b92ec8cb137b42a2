package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Files in a directory, those of each part beside each other or in folders by metric and day. A
 * file gets its name when it is complete; until then it ends in {@code .partial}.
 */
public final class DirectoryTarget implements ExportTarget {
  private final FileForm form;
  private final Path directory;
  private final boolean folders;
  private final boolean resumed;

  /**
   * @param directory exists
   * @param folders whether there is one for each metric and day
   * @param resumed whether an earlier try may have left files of parts that are opened
   */
  public DirectoryTarget(FileForm form, Path directory, boolean folders, boolean resumed) {
    this.form = form;
    this.directory = directory;
    this.folders = folders;
    this.resumed = resumed;
  }

  /**
   * Lines to the file of a part.
   *
   * @param directory exists
   * @param suffix of the file's name, without a dot
   * @param resumed whether an earlier try may have left a file of the part
   */
  public static TextPart.Output output(Path directory, int part, String suffix, boolean resumed)
      throws IOException {
    return new TextFiles.FileOutput(files(directory, part, suffix, resumed));
  }

  private static PartFiles files(Path directory, int part, String suffix, boolean resumed)
      throws IOException {
    PartFiles files = new PartFiles(directory, part, suffix);
    if (resumed) {
      files.deleteAll();
    }
    return files;
  }

  @Override
  public ExportPart open(int number) throws IOException {
    PartFiles files = files(directory, number, form.suffix(), resumed);
    return folders ? new FolderPart(files) : form.open(files);
  }

  @Override
  public long rounded() {
    return form.rounded();
  }

  /** Begins a new file with each metric and day; only one is open. */
  private final class FolderPart implements ExportPart {
    private final PartFiles files;
    private @Nullable ExportPart open;
    private String metric = "";
    private long day;
    private long bytes;

    private FolderPart(PartFiles files) {
      this.files = files;
    }

    @Override
    public void take(SeriesName series, long baseSeconds, PointBlock points, int from, int to)
        throws IOException, UnwritableException {
      long of = TimeUnit.SECONDS.toDays(baseSeconds);
      ExportPart part = open;
      if (part == null || of != day || !series.metric().equals(metric)) {
        finish();
        files.enter(series.metric(), of);
        part = form.open(files);
        metric = series.metric();
        day = of;
        open = part;
      }
      part.take(series, baseSeconds, points, from, to);
    }

    @Override
    public void finish() throws IOException {
      ExportPart part = open;
      if (part != null) {
        part.finish();
        part.close();
        bytes += part.bytes();
        open = null;
      }
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void close() throws IOException {
      ExportPart part = open;
      if (part != null) {
        part.close();
      }
    }
  }
}
