package io.packhorse.loader.load;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Receives what a user should read while an operation runs. Any thread. */
public interface Announcer {
  /** Ignores everything. */
  Announcer SILENT =
      new Announcer() {
        @Override
        public void say(String topic, String sentence) {}

        @Override
        public void fail(String sentence) {}

        @Override
        public Progress progress(Supplier<Status> status) {
          return () -> {};
        }
      };

  /**
   * A fact, said once.
   *
   * @param topic one word that such lines begin with, such as {@code job}
   */
  void say(String topic, String sentence);

  /**
   * A failure that has to be told at once, because the process may end before the exception that
   * carries it is reported.
   */
  void fail(String sentence);

  /**
   * Shows how far an operation is, until the result is closed.
   *
   * @param status called whenever it is drawn, by a thread of the announcer
   */
  Progress progress(Supplier<Status> status);

  /**
   * How far an operation is.
   *
   * @param topic one word that the line begins with
   * @param share that is done, 0 to 1; negative if unknown
   * @param secondsLeft until all is done, if that is known
   * @param figures most important first; the last ones are left out where a line is too narrow
   */
  record Status(String topic, double share, OptionalDouble secondsLeft, List<String> figures) {
    /** Of an operation whose end is not known. */
    public static Status of(String topic, String figure) {
      return new Status(topic, -1, OptionalDouble.empty(), List.of(figure));
    }

    /** The share that is done, {@code 62 %}; empty if unknown. */
    public Optional<String> percent() {
      return share < 0 ? Optional.empty() : Optional.of((int) (100 * Math.min(1, share)) + " %");
    }

    /** On one line, for a log. */
    public String line() {
      StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-9s", topic));
      percent().ifPresent(percent -> line.append(' ').append(percent).append(' '));
      line.append(' ').append(String.join("  ", figures));
      if (secondsLeft.isPresent()) {
        line.append("  ETA ").append(HumanNumbers.seconds(secondsLeft.getAsDouble()));
      }
      return line.toString();
    }
  }

  /** A line being shown; closing it draws it for the last time. */
  interface Progress extends AutoCloseable {
    @Override
    void close();
  }
}
