package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.schema.cell.PointBlock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** A file with a column for each tag key. One thread. */
interface TableFile extends Closeable {
  /** Makes files of one form. */
  interface Form {
    /**
     * Begins a file.
     *
     * @param tagKeys of all series that will be written, in their order
     * @param inFolder whether the file is in a folder of its metric and day, which readers make
     *     columns of; so it has no column for the metric
     */
    TableFile open(Path file, Set<String> tagKeys, boolean inFolder) throws IOException;
  }

  /** As {@link ExportPart#take}, of a series whose tag keys have columns. */
  void take(SeriesName series, long baseMs, PointBlock points, int from, int to)
      throws IOException, UnwritableException;

  /** Writes the end of the file. */
  void end() throws IOException;

  /** Bytes written; of all once it has ended. */
  long bytes();

  /** Integers so far that the form could not hold and rounded. */
  long rounded();

  /** The column of a tag: its key, unless another column has that name. */
  static String columnOf(String tagKey, boolean inFolder) {
    String others = inFolder ? "metric|time|value|day" : "metric|time|value";
    return tagKey.matches("(tag_)*(" + others + ")") ? "tag_" + tagKey : tagKey;
  }
}
