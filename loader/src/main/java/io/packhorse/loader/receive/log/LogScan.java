package io.packhorse.loader.receive.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads the files of a {@link SegmentLog} without opening it for writing, so that it changes
 * nothing and another process may be using the log. One thread.
 */
public final class LogScan {
  private LogScan() {}

  /** Gets each record, in order. */
  public interface Records {
    /**
     * Gets a record.
     *
     * @param end its end position
     * @param payload the receiver's to keep
     */
    void add(long end, byte[] payload) throws IOException;
  }

  /**
   * What a segment file holds.
   *
   * @param file its path
   * @param start position of its first byte
   * @param bytes length of the file
   * @param records that can be read
   * @param unreadable first byte of the file that is no valid record, which may be one that is
   *     being written; empty if all are valid
   */
  public record Segment(
      String file, long start, long bytes, int records, OptionalLong unreadable) {}

  /**
   * Reads all records; in a segment up to the first that is not valid.
   *
   * @param folder of the log
   * @return its segments, without those that the log has freed meanwhile
   */
  public static List<Segment> read(Path folder, Records records) throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (long start : SegmentLog.starts(folder)) {
      Path file = SegmentLog.file(folder, start);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        segments.add(segment(file, channel, start, records));
      } catch (NoSuchFileException freed) {
        // Its points are stored, so the log does not hold them.
      }
    }
    return segments;
  }

  private static Segment segment(Path file, FileChannel channel, long start, Records records)
      throws IOException {
    OptionalLong salt = SegmentLog.saltOf(channel, start);
    if (salt.isEmpty()) {
      return new Segment(file.toString(), start, channel.size(), 0, OptionalLong.of(0));
    }
    int count = 0;
    long at = start + SegmentLog.SEGMENT_HEADER_BYTES;
    while (true) {
      byte[] payload = SegmentLog.payloadAt(channel, start, at, salt.getAsLong());
      if (payload == null) {
        break;
      }
      at += RecordHeader.BYTES + payload.length;
      records.add(at, payload);
      count++;
    }
    long bytes = channel.size();
    return new Segment(
        file.toString(),
        start,
        bytes,
        count,
        at - start == bytes ? OptionalLong.empty() : OptionalLong.of(at - start));
  }
}
