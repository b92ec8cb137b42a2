package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;
import java.util.Optional;

/**
 * Takes the records of one text format apart. A record is a line unless the format says otherwise.
 * Whatever the bytes are, they become points or rejects and never an exception. One thread.
 *
 * <p>Behind the bytes to look at, {@link Spellings#PADDING} more may be read.
 */
public interface RecordFormat {
  /**
   * Finds the end of the record that begins at {@code from}, its line end included.
   *
   * @param last whether the input ends at {@code limit}; a record is then always found
   * @return index after the record, or -1 if it may go on behind {@code limit}
   */
  default int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    int feed = Lines.feed(buffer, from, limit);
    if (feed >= 0) {
      return feed + 1;
    }
    return last ? limit : -1;
  }

  /**
   * Finds the end of the last whole record of those from {@code from} on, which more follow. Any
   * thread may ask.
   *
   * @return index after it, or {@code from} if there is none
   */
  default int lastRecordEnd(byte[] buffer, int from, int limit) {
    int end = limit;
    while (end > from && buffer[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /** Whether a record may be more than a line, or less. */
  default boolean countsLines() {
    return false;
  }

  /** Reads the record {@code [from, to)}, without its line end and perhaps empty. */
  void read(byte[] buffer, int from, int to, Points points) throws InputException;

  /**
   * Takes records of the commonest form, each a line, as long as they stand there one behind the
   * other, and counts them: faster than one by one, for formats that can.
   *
   * @return index after the last of them, {@code from} if there is none
   */
  default int readPlain(byte[] buffer, int from, int limit, Points points) {
    return from;
  }

  /**
   * Another reader of this format, for use beside this one on another thread: a record means the
   * same whatever stands before it. Empty if that is not so. Any thread may ask.
   */
  default Optional<RecordFormat> another() {
    return Optional.empty();
  }

  /** Equal for two formats that read all inputs alike. */
  default Object key() {
    return description();
  }

  /** What was found out about the input, in a few words for people. */
  String description();
}
