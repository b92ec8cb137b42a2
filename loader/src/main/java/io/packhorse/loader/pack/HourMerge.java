package io.packhorse.loader.pack;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges files of hours in the order of series and time. Records of one hour come in the order of
 * the files. One thread.
 */
final class HourMerge implements Closeable {
  private final List<HourReader> readers = new ArrayList<>();
  private final PriorityQueue<Source> waiting = new PriorityQueue<>(Source.ORDER);

  /** A file and the next hour of it. */
  private record Source(int number, SavedHour hour) {
    static final Comparator<Source> ORDER =
        Comparator.<Source>comparingInt(source -> source.hour.series())
            .thenComparingInt(source -> source.hour.hour())
            .thenComparingInt(Source::number);
  }

  HourMerge(List<HourFile> files) throws IOException {
    try {
      for (HourFile file : files) {
        readers.add(new HourReader(file));
        advance(readers.size() - 1);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void advance(int number) throws IOException {
    SavedHour hour = readers.get(number).next();
    if (hour != null) {
      waiting.add(new Source(number, hour));
    }
  }

  /** The next record, perhaps of the same hour as the one before; null at the end. */
  @Nullable SavedHour next() throws IOException {
    Source first = waiting.poll();
    if (first == null) {
      return null;
    }
    advance(first.number);
    return first.hour;
  }

  @Override
  public void close() throws IOException {
    for (HourReader reader : readers) {
      reader.close();
    }
  }
}
