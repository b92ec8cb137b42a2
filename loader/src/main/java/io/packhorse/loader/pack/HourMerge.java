package io.packhorse.loader.pack;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of hours at once, in the order of series and time; what they have of one hour comes
 * in the order of the files. One thread.
 */
final class HourMerge implements Closeable {
  private final List<HourReader> readers = new ArrayList<>();
  private final PriorityQueue<Source> waiting = new PriorityQueue<>(Source.ORDER);

  /** A file, with the hour that it stands at. */
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

  /** The next hour, or more points of the same one, or null at the end. */
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
