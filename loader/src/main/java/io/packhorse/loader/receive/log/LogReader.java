package io.packhorse.loader.receive.log;

import io.packhorse.loader.receive.log.SegmentLog.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Reads the records of a {@link SegmentLog} that are on disk, in order. One thread. */
public final class LogReader implements Closeable {
  private final SegmentLog log;
  private long position;
  private @Nullable Segment segment;
  private @Nullable FileChannel file;

  LogReader(SegmentLog log, long from) {
    this.log = log;
    this.position = from;
  }

  /** Where the next record begins, or a segment header before it. */
  public long position() {
    return position;
  }

  /**
   * The payload of the next record, which belongs to the caller; null if there is none on disk yet.
   *
   * @throws DamagedLogException if a record is damaged
   */
  public byte @Nullable [] next() throws IOException {
    long onDisk = log.forced();
    while (position < onDisk) {
      Segment current = segment;
      FileChannel from = file;
      if (current == null || from == null || position >= current.next()) {
        close();
        current = log.segmentAt(position);
        from = FileChannel.open(current.file(), StandardOpenOption.READ);
        segment = current;
        file = from;
      }
      long at = Math.max(position, current.firstRecord());
      if (at >= onDisk) {
        position = at;
        return null;
      }
      byte[] payload = SegmentLog.payloadAt(from, current.start(), at, current.salt());
      if (payload != null) {
        position = at + RecordHeader.BYTES + payload.length;
        return payload;
      }
      // The log may have begun another segment since this one was opened.
      Segment now = log.segmentAt(current.start());
      if (at != now.next()) {
        throw new DamagedLogException(SegmentLog.damaged(current.file(), at - current.start()));
      }
      segment = now;
    }
    return null;
  }

  /** Closes the file that is open; reading on opens it again. */
  @Override
  public void close() throws IOException {
    FileChannel open = file;
    file = null;
    segment = null;
    if (open != null) {
      open.close();
    }
  }
}
