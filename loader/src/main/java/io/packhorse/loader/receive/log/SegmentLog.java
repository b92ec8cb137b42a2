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
import org.jspecify.annotations.Nullable;

/**
 * A write-ahead log: records are appended to segment files in a folder and never changed. A
 * position is an offset in bytes over all segments ever written, deleted ones included; a segment's
 * file name is the position of its first byte. Thread-safe; only one process may use the folder.
 */
public final class SegmentLog implements Closeable {
  /** A longer payload is refused. */
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  private static final String SUFFIX = ".log";
  private static final int MAGIC = 0x504b4c31;

  /** The magic number, a CRC32C of the salt and the start position, and the salt. */
  static final int SEGMENT_HEADER_BYTES = 16;

  private static final int SCAN_BYTES = 1 << 20;
  private static final int PIECE_BYTES = 1 << 18;

  private final Path folder;
  private final long segmentBytes;
  private volatile long bytesMax;

  /** Start positions of all segments, with their salts. */
  private final TreeMap<Long, Long> salts = new TreeMap<>();

  /** Of a record that is being written. */
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);

  private final Object forcing = new Object();
  private FileChannel channel;
  private long tornBytes;
  private long end;
  private volatile long forced;
  private volatile boolean failed;

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
   * Opens a log, or creates it if it is missing. An incomplete record at the end, which a crash
   * leaves behind, is cut off.
   *
   * @param segmentBytes size from which a segment is closed and the next one is started
   * @param bytesMax limit of all segments together, at least twice {@code segmentBytes}
   * @throws DamagedLogException if a record that was forced to disk is damaged or missing
   */
  public static SegmentLog open(Path folder, long segmentBytes, long bytesMax) throws IOException {
    if (segmentBytes <= 0 || bytesMax / 2 < segmentBytes) {
      throw new IllegalArgumentException(
          "a log of " + bytesMax + " bytes has no room for two segments of " + segmentBytes);
    }
    return new SegmentLog(folder, segmentBytes, bytesMax);
  }

  /** Start positions of the segments in a folder, in order. */
  static List<Long> starts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Long> starts = new ArrayList<>();
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (!name.matches("[0-9]{19}\\.log")) {
          throw new DamagedLogException(
              file
                  + " is not a segment of the log; its folder must hold nothing else: move the file");
        }
        starts.add(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())));
      }
      starts.sort(null);
      return starts;
    }
  }

  /** Checks a segment that is not the last: it was forced before the next one was created. */
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
    long bad = firstInvalid(channel, start);
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
   * Throws if a record after the bad one has a {@code forced} position beyond the start of the bad
   * one: then the bad record was on disk, and is damaged. Otherwise it may never have been forced.
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
    return damaged(file(start), at - start);
  }

  static String damaged(Path file, long at) {
    return file + " is damaged: the record at byte " + at + " cannot be read";
  }

  /** Whether a segment header is valid and belongs to the position in the file's name. */
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

  /** Empties a file and writes the header of a segment that begins at a position. */
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
   * Appends a record. It is on disk once {@link #force} has returned this position or a later one.
   * If the write fails, the log is as before.
   *
   * @param payload in parts; together at most {@link #PAYLOAD_BYTES_MAX} bytes
   * @return the end position of the record; empty if the log would exceed its limit
   */
  public synchronized OptionalLong append(byte[]... payload) throws IOException {
    long length = 0;
    for (byte[] part : payload) {
      length += part.length;
    }
    if (length > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException("a record of " + length + " bytes is too long");
    }
    checkUsable();
    long start = salts.lastKey();
    boolean full = end - start >= segmentBytes;
    long bytes = RecordHeader.BYTES + length + (full ? SEGMENT_HEADER_BYTES : 0);
    if (end - salts.firstKey() + bytes > bytesMax) {
      return OptionalLong.empty();
    }
    if (full) {
      roll();
      start = salts.lastKey();
    }
    try {
      write(RecordHeader.of(forced, payload), salt(start), payload);
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
    end += RecordHeader.BYTES + length;
    return OptionalLong.of(end);
  }

  /** Writes a record in pieces, because the JDK would copy a large array as a whole. */
  private void write(RecordHeader header, long salt, byte[]... payload) throws IOException {
    header.write(piece.clear(), salt, end);
    for (byte[] part : payload) {
      for (int at = 0; at < part.length; ) {
        if (!piece.hasRemaining()) {
          writeFully(channel, piece.flip());
          piece.clear();
        }
        int bytes = Math.min(piece.remaining(), part.length - at);
        piece.put(part, at, bytes);
        at += bytes;
      }
    }
    writeFully(channel, piece.flip());
  }

  /** Starts the next segment. If its file cannot be written, the current one stays in use. */
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
   * Forces to disk all records that any thread appended before this call.
   *
   * @return the position up to which the log is on disk
   * @throws IOException if the disk fails. Every later append and force fails too, because it is
   *     then unknown what is on disk; open the log again to find out
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

  /**
   * Reads what is on disk from a position on, also while records are appended.
   *
   * @param from 0, or an end position that {@link #append} or {@link LogReader#position} returned
   * @return for one thread, which closes it
   * @throws DamagedLogException if the log does not hold the position
   */
  public synchronized LogReader reader(long from) throws IOException {
    if (from > end || from < salts.firstKey()) {
      throw new DamagedLogException(
          folder
              + " holds positions "
              + salts.firstKey()
              + " to "
              + end
              + " of the log, but "
              + from
              + " is needed: restore the missing segment files");
    }
    return new LogReader(this, from);
  }

  /**
   * A segment file.
   *
   * @param start position of its first byte
   * @param next where the next segment begins; {@link Long#MAX_VALUE} if records are still appended
   *     to this one
   */
  record Segment(Path file, long start, long next, long salt) {
    long firstRecord() {
      return start + SEGMENT_HEADER_BYTES;
    }
  }

  /** The segment that holds a position; at the end of one segment that is the next one. */
  synchronized Segment segmentAt(long position) {
    Map.Entry<Long, Long> found = salts.floorEntry(position);
    long start = found.getKey();
    Long next = salts.higherKey(start);
    return new Segment(file(start), start, next == null ? Long.MAX_VALUE : next, found.getValue());
  }

  /** Returns the position of the first invalid record, or the end of the segment. */
  private long firstInvalid(FileChannel file, long start) throws IOException {
    long at = start + SEGMENT_HEADER_BYTES;
    while (true) {
      byte[] payload = payloadAt(file, start, at, salt(start));
      if (payload == null) {
        return at;
      }
      at += RecordHeader.BYTES + payload.length;
    }
  }

  /** The payload of the record at a position; null if it is not valid, or the file ends there. */
  static byte @Nullable [] payloadAt(FileChannel file, long start, long at, long salt)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocate(RecordHeader.BYTES);
    readFully(file, header, at - start);
    if (header.hasRemaining() || !RecordHeader.isAt(header, 0, salt, at)) {
      return null;
    }
    RecordHeader record = RecordHeader.read(header, 0);
    long next = at + RecordHeader.BYTES + record.length();
    if (record.length() > PAYLOAD_BYTES_MAX || next > start + file.size()) {
      return null;
    }
    byte[] payload = new byte[record.length()];
    readFully(file, ByteBuffer.wrap(payload), at + RecordHeader.BYTES - start);
    return record.isOf(payload) ? payload : null;
  }

  /**
   * Deletes the segments that end at or before a position, once HBase has all their points. Records
   * are appended meanwhile: to delete a large file takes longer than to write many records.
   */
  public void free(long before) throws IOException {
    if (before > forced) {
      throw new IllegalArgumentException(
          "the log is on disk up to " + forced + ", so nothing before " + before + " is free");
    }
    for (OptionalLong free = firstEnding(before); free.isPresent(); free = firstEnding(before)) {
      Files.deleteIfExists(file(free.getAsLong()));
      synchronized (this) {
        salts.remove(free.getAsLong());
      }
    }
  }

  /** Start of the oldest segment if it ends at or before a position, and is not the only one. */
  private synchronized OptionalLong firstEnding(long before) {
    long first = salts.firstKey();
    Long next = salts.higherKey(first);
    return next == null || next > before ? OptionalLong.empty() : OptionalLong.of(first);
  }

  /**
   * Sets another limit than the one it was opened with.
   *
   * @param bytes of all segments together; a log that has more takes no more records
   */
  public void limit(long bytes) {
    bytesMax = bytes;
  }

  /** Position of the oldest byte that the log holds. */
  public synchronized long first() {
    return salts.firstKey();
  }

  /** End position of the newest record. */
  public synchronized long end() {
    return end;
  }

  /** Position up to which the log is on disk. */
  public long forced() {
    return forced;
  }

  /** Bytes of all segments. */
  public synchronized long bytes() {
    return end - salts.firstKey();
  }

  /**
   * Bytes that {@link #open} cut off at the end. Usual after a power cut; without one, the disk may
   * have damaged the last records, which cannot be told apart from records never forced.
   */
  public long tornBytes() {
    return tornBytes;
  }

  private void checkUsable() throws IOException {
    if (failed) {
      throw new IOException(
          "the log in "
              + folder
              + " accepts no more records because a write failed: check the disk, then restart");
    }
  }

  private long salt(long start) {
    return salts.getOrDefault(start, 0L);
  }

  private Path file(long start) {
    return file(folder, start);
  }

  static Path file(Path folder, long start) {
    return folder.resolve(String.format(Locale.ROOT, "%019d%s", start, SUFFIX));
  }

  /** The salt of a segment; empty if the file does not begin as one. */
  static OptionalLong saltOf(FileChannel segment, long start) throws IOException {
    ByteBuffer header = segmentHeader(segment);
    return begins(header, start) ? OptionalLong.of(header.getLong(8)) : OptionalLong.empty();
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
