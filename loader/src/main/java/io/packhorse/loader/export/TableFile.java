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
     */
    TableFile open(Path file, Set<String> tagKeys) throws IOException;
  }

  /** As {@link ExportPart#take}, of a series whose tag keys have columns. */
  void take(SeriesName series, long baseMs, PointBlock points, int from, int to) throws IOException;

  /** Writes the end of the file. */
  void end() throws IOException;

  /** Bytes written; of all once it has ended. */
  long bytes();

  /** Integers so far that the form could not hold and rounded. */
  long rounded();

  /** The column of a tag: its key, unless another column has that name. */
  static String columnOf(String tagKey) {
    return tagKey.matches("(tag_)*(metric|time|value)") ? "tag_" + tagKey : tagKey;
  }
}
