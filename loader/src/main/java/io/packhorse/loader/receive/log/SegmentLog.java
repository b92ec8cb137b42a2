package io.packhorse.loader.receive.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Records in files of a folder, the segments, appended and never changed. A position counts the
 * bytes of all segments ever written, so it grows for ever; a segment is named after the position
 * of its first byte. Any number of threads append and force; one process has the folder.
 */
public final class SegmentLog implements Closeable {
  /** A longer payload is refused. */
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  private static final String SUFFIX = ".log";
  private static final int MAGIC = 0x504b4c31;

  /** The magic number, a CRC32C of the salt and the start position, and the salt. */
  private static final int SEGMENT_HEADER_BYTES = 16;

  private static final int SCAN_BYTES = 1 << 20;

  private final Path folder;
  private final long segmentBytes;
  private final long bytesMax;

  /** Start positions of all segments, with their salts. */
  private final TreeMap<Long, Long> salts = new TreeMap<>();

  private final Object forcing = new Object();
  private FileChannel channel;
  private long tornBytes;
  private long end;
  private volatile long forced;
  private volatile boolean failed;

  /** Takes the records of a replay, in order. */
  public interface Reader {
    /**
     * Takes one record.
     *
     * @param next position behind the record, from which a later replay goes on
     * @param payload the reader's own from now on
     */
    void read(long next, byte[] payload) throws IOException;
  }

  private SegmentLog(Path folder, long segmentBytes, long bytesMax) throws IOException {
    this.folder = folder;
    this.segmentBytes = segmentBytes;
    this.bytesMax = bytesMax;
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Path parent = folder.toAbsolutePath().getParent();
      if (parent != null) {
        forceFolder(parent);
      }
    }
    List<Long> starts = starts(folder);
    if (starts.isEmpty()) {
      starts.add(0L);
    }
    long last = starts.get(starts.size() - 1);
    for (int i = 0; i + 1 < starts.size(); i++) {
      checkSegment(starts.get(i), starts.get(i + 1));
    }
    channel = openToWrite(last);
    try {
      recover(last);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens a log, making it if it is missing, and cuts off its end what a crash left unfinished.
   *
   * @param segmentBytes a segment that is at least this long is followed by another
   * @param bytesMax of all segments together; at least two of them
   * @throws DamagedLogException if something is missing or damaged that was on disk before
   */
  public static SegmentLog open(Path folder, long segmentBytes, long bytesMax) throws IOException {
    if (segmentBytes <= 0 || bytesMax / 2 < segmentBytes) {
      throw new IllegalArgumentException(
          "a log of " + bytesMax + " bytes has no room for two segments of " + segmentBytes);
    }
    return new SegmentLog(folder, segmentBytes, bytesMax);
  }

  private static List<Long> starts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Long> starts = new ArrayList<>();
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (!name.matches("[0-9]{19}\\.log")) {
          throw new DamagedLogException(
              file + " is not a segment of the log, whose folder must hold nothing else: move it");
        }
        starts.add(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())));
      }
      starts.sort(null);
      return starts;
    }
  }

  /** A segment that another follows was whole on disk before the other began. */
  private void checkSegment(long start, long next) throws IOException {
    try (FileChannel segment = FileChannel.open(file(start), StandardOpenOption.READ)) {
      ByteBuffer header = segmentHeader(segment);
      if (!begins(header, start)) {
        throw new DamagedLogException(file(start) + " is damaged: it does not begin as a segment");
      }
      if (start + segment.size() != next) {
        throw new DamagedLogException(
            file(start)
                + " has "
                + segment.size()
                + " bytes, but "
                + (next - start)
                + " are expected before "
                + file(next));
      }
      salts.put(start, header.getLong(8));
    }
  }

  private void recover(long start) throws IOException {
    ByteBuffer header = segmentHeader(channel);
    long size = channel.size();
    if (size <= SEGMENT_HEADER_BYTES && !begins(header, start)) {
      tornBytes = size;
      begin(channel, start);
      return;
    }
    if (!begins(header, start)) {
      throw new DamagedLogException(file(start) + " is damaged: it does not begin as a segment");
    }
    salts.put(start, header.getLong(8));
    long bad = readSegment(channel, start, start + SEGMENT_HEADER_BYTES, (next, payload) -> {});
    if (bad < start + size) {
      refuseIfOnceForced(start, bad);
    }
    tornBytes = start + size - bad;
    channel.truncate(bad - start);
    channel.position(bad - start);
    channel.force(true);
    end = bad;
    forcedUpTo(bad);
  }

  /**
   * A record that follows the bad one and says that the log was on disk beyond the bad one's start
   * proves that the bad one was whole; without such a proof it was never forced.
   */
  private void refuseIfOnceForced(long start, long bad) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(SCAN_BYTES);
    long salt = salt(start);
    for (long at = bad + 1; ; at += SCAN_BYTES - RecordHeader.BYTES + 1) {
      readFully(channel, chunk.clear(), at - start);
      chunk.flip();
      for (int i = 0; i + RecordHeader.BYTES <= chunk.limit(); i++) {
        if (RecordHeader.isAt(chunk, i, salt, at + i)
            && RecordHeader.read(chunk, i).forced() > bad) {
          throw new DamagedLogException(damaged(start, bad));
        }
      }
      if (chunk.limit() < SCAN_BYTES) {
        return;
      }
    }
  }

  private String damaged(long start, long at) {
    return file(start) + " is damaged: the record at byte " + (at - start) + " cannot be read";
  }

  /** Whether a segment has its header, and under the name that it was written with. */
  private static boolean begins(ByteBuffer header, long start) {
    return header.remaining() == SEGMENT_HEADER_BYTES
        && header.getInt(0) == MAGIC
        && header.getInt(4) == checksum(header.getLong(8), start);
  }

  private static int checksum(long salt, long start) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(salt).putLong(start).flip());
    return (int) crc.getValue();
  }

  /** Makes a file an empty segment that begins at a position. */
  private void begin(FileChannel segment, long start) throws IOException {
    long salt = new SecureRandom().nextLong();
    ByteBuffer header = ByteBuffer.allocate(SEGMENT_HEADER_BYTES);
    header.putInt(MAGIC).putInt(checksum(salt, start)).putLong(salt).flip();
    segment.truncate(0);
    segment.position(0);
    writeFully(segment, header);
    segment.force(true);
    forceFolder(folder);
    salts.put(start, salt);
    end = start + SEGMENT_HEADER_BYTES;
    forcedUpTo(end);
  }

  private static void forceFolder(Path folder) throws IOException {
    try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  /**
   * Appends a record, which is safe once {@link #force} has returned its position or a later one.
   * After a failure the log ends with the record before.
   *
   * @param payload at most {@link #PAYLOAD_BYTES_MAX}
   * @return the position behind the record, or nothing if the log has no room for it
   */
  public synchronized OptionalLong append(byte[] payload) throws IOException {
    if (payload.length > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException("a record of " + payload.length + " bytes is too long");
    }
    checkUsable();
    long start = salts.lastKey();
    boolean full = end - start >= segmentBytes;
    long bytes = RecordHeader.BYTES + (long) payload.length + (full ? SEGMENT_HEADER_BYTES : 0);
    if (end - salts.firstKey() + bytes > bytesMax) {
      return OptionalLong.empty();
    }
    if (full) {
      roll();
      start = salts.lastKey();
    }
    ByteBuffer record = ByteBuffer.allocate(RecordHeader.BYTES + payload.length);
    RecordHeader.of(payload, forced).write(record, salt(start), end);
    record.put(payload).flip();
    try {
      writeFully(channel, record);
    } catch (IOException e) {
      try {
        channel.truncate(end - start);
        channel.position(end - start);
      } catch (IOException alsoFailed) {
        failed = true;
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
    end += RecordHeader.BYTES + payload.length;
    return OptionalLong.of(end);
  }

  /** Goes on in another segment; if there is no room for it on the disk, stays in this one. */
  private void roll() throws IOException {
    force();
    long next = end;
    FileChannel segment = openToWrite(next);
    try {
      begin(segment, next);
    } catch (IOException e) {
      try {
        segment.close();
        Files.deleteIfExists(file(next));
        forceFolder(folder);
      } catch (IOException alsoFailed) {
        failed = true;
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
    FileChannel before = channel;
    channel = segment;
    before.close();
  }

  /**
   * Puts on disk what was appended before this call, by all threads.
   *
   * @return the position up to which the log is on disk
   * @throws IOException also from every later call and append: after a failed force nobody knows
   *     what is on disk, and only opening the log again tells
   */
  public long force() throws IOException {
    FileChannel current;
    long upTo;
    synchronized (this) {
      checkUsable();
      current = channel;
      upTo = end;
      if (upTo == forced) {
        return upTo;
      }
    }
    try {
      current.force(false);
    } catch (IOException e) {
      if (forced >= upTo) {
        return forced;
      }
      failed = true;
      throw e;
    }
    return forcedUpTo(upTo);
  }

  private long forcedUpTo(long position) {
    synchronized (forcing) {
      forced = Math.max(forced, position);
      return forced;
    }
  }

  /** Reads the records from a position on that {@link Reader#read} gave, or from 0, to the end. */
  public synchronized void replay(long from, Reader reader) throws IOException {
    long first = salts.firstKey();
    if (from > end || from < first) {
      throw new DamagedLogException(
          folder
              + " holds positions "
              + first
              + " to "
              + end
              + " of the log, but "
              + from
              + " is needed: give back the segments that were taken away");
    }
    for (Map.Entry<Long, Long> segment :
        salts.tailMap(salts.headMap(from, true).lastKey(), true).entrySet()) {
      long start = segment.getKey();
      long at = Math.max(from, start + SEGMENT_HEADER_BYTES);
      try (FileChannel file = FileChannel.open(file(start), StandardOpenOption.READ)) {
        long read = readSegment(file, start, at, reader);
        if (read != start + file.size()) {
          throw new DamagedLogException(damaged(start, read));
        }
      }
    }
  }

  /** Returns the position of the first record that cannot be read, or of the end. */
  private long readSegment(FileChannel file, long start, long from, Reader reader)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocate(RecordHeader.BYTES);
    long at = from;
    while (true) {
      readFully(file, header.clear(), at - start);
      if (header.hasRemaining() || !RecordHeader.isAt(header, 0, salt(start), at)) {
        return at;
      }
      RecordHeader record = RecordHeader.read(header, 0);
      long next = at + RecordHeader.BYTES + record.length();
      if (record.length() > PAYLOAD_BYTES_MAX || next > start + file.size()) {
        return at;
      }
      byte[] payload = new byte[record.length()];
      readFully(file, ByteBuffer.wrap(payload), at + RecordHeader.BYTES - start);
      if (!record.isOf(payload)) {
        return at;
      }
      reader.read(next, payload);
      at = next;
    }
  }

  /** Deletes the segments that lie before a position: HBase has all points of their records. */
  public synchronized void free(long before) throws IOException {
    if (before > forced) {
      throw new IllegalArgumentException(
          "the log is on disk up to " + forced + ", so nothing before " + before + " is free");
    }
    while (salts.size() > 1 && salts.tailMap(salts.firstKey(), false).firstKey() <= before) {
      Files.deleteIfExists(file(salts.firstKey()));
      salts.pollFirstEntry();
    }
  }

  /** Bytes of all segments. */
  public synchronized long bytes() {
    return end - salts.firstKey();
  }

  /**
   * Bytes that {@link #open} cut off the end, and that no later record proves to have been on disk.
   * After a power cut that is usual; otherwise the disk may have damaged the last records.
   */
  public long tornBytes() {
    return tornBytes;
  }

  private void checkUsable() throws IOException {
    if (failed) {
      throw new IOException(
          "the log in "
              + folder
              + " takes nothing more since a write failed: check the disk, then restart");
    }
  }

  private long salt(long start) {
    return salts.getOrDefault(start, 0L);
  }

  private Path file(long start) {
    return folder.resolve(String.format(Locale.ROOT, "%019d%s", start, SUFFIX));
  }

  private FileChannel openToWrite(long start) throws IOException {
    return FileChannel.open(
        file(start), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static ByteBuffer segmentHeader(FileChannel segment) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(SEGMENT_HEADER_BYTES);
    readFully(segment, header, 0);
    return header.flip();
  }

  /** Reads until the buffer is full or the file ends. */
  private static void readFully(FileChannel file, ByteBuffer to, long from) throws IOException {
    long at = from;
    while (to.hasRemaining()) {
      int read = file.read(to, at);
      if (read < 0) {
        return;
      }
      at += read;
    }
  }

  private static void writeFully(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
