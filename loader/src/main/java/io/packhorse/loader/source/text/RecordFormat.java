package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import java.util.Optional;

/**
 * Parses the records of one text format. A record is a line unless the format says otherwise.
 * Whatever the bytes are, they become points or rejects, never an exception. One thread.
 *
 * <p>After the bytes passed in, {@link ByteKeyIndex#PADDING} more must be readable.
 */
public interface RecordFormat {
  /**
   * Finds the end of the record that begins at {@code from}, its line end included.
   *
   * @param last whether the input ends at {@code limit}; a record is then always found
   * @return index after the record, or -1 if it may continue after {@code limit}
   */
  default int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    int feed = Lines.feed(buffer, from, limit);
    if (feed >= 0) {
      return feed + 1;
    }
    return last ? limit : -1;
  }

  /**
   * Finds the end of the last complete record between {@code from} and {@code limit}. Any thread.
   *
   * @return index after it, or {@code from} if no record is complete
   */
  default int lastRecordEnd(byte[] buffer, int from, int limit) {
    int end = limit;
    while (end > from && buffer[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /**
   * Index of the first record of an input: what stands before it is not read.
   *
   * @param head of an input that has this format
   */
  default int start(InputHead head) {
    return head.from();
  }

  /** Whether a record may be more than a line, or less. */
  default boolean countsLines() {
    return false;
  }

  /**
   * Whether every line is a record that can be understood without the others, so that an input can
   * be read from any of its lines on.
   */
  default boolean isOneLineEach() {
    return false;
  }

  /** Reads the record {@code [from, to)}, without its line end and perhaps empty. */
  void read(byte[] buffer, int from, int to, Points points) throws InputException;

  /**
   * Parses consecutive lines of the most common form faster than {@link #read} would, and counts
   * them. Stops at the first line of another form.
   *
   * @return index after the last line parsed, {@code from} if none was
   */
  default int readFastPath(byte[] buffer, int from, int limit, Points points) {
    return from;
  }

  /**
   * A parser of this format that another thread may use at the same time; empty if the meaning of a
   * record depends on the records before it. Any thread.
   */
  default Optional<RecordFormat> forAnotherThread() {
    return Optional.empty();
  }

  /**
   * Whether the meaning of a record depends on those before it: then an input can be read from the
   * middle on only by reading what comes before, too, and the format is for one input alone.
   */
  default boolean dependsOnEarlierRecords() {
    return false;
  }

  /** Equal for two formats that read all inputs alike. */
  default Object key() {
    return description();
  }

  /** How the input is read, in a few words for people. */
  String description();
}
