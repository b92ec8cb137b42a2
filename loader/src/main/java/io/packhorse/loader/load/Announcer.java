package io.packhorse.loader.load;

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
        public Progress progress(Supplier<String> line) {
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
   * Shows a line that changes, until the result is closed.
   *
   * @param line called whenever the line is drawn, by a thread of the announcer
   */
  Progress progress(Supplier<String> line);

  /** A line being shown; closing it draws it for the last time. */
  interface Progress extends AutoCloseable {
    @Override
    void close();
  }
}
