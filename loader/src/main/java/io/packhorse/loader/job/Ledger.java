package io.packhorse.loader.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Records of a job, appended and never changed: each a line of eight hex digits, the CRC32C of the
 * rest, a space and a JSON object. On disk before {@link #append} returns. Any number of threads.
 */
final class Ledger implements Closeable {
  static final String FILE = "ledger";

  private static final int CHECKSUM_CHARS = 8;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FileChannel channel;

  /**
   * What a ledger holds.
   *
   * @param bytes of the records
   * @param tornBytes behind them, of a record that was not written in full
   */
  record Content(List<LedgerRecord> records, long bytes, long tornBytes) {}

  private Ledger(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Opens a ledger to append to, making it if it is missing, and cuts a torn record off its end.
   *
   * @param content as {@link #read} has just found it
   */
  static Ledger open(Path job, Content content) throws IOException {
    FileChannel channel =
        FileChannel.open(job.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.truncate(content.bytes());
    channel.position(content.bytes());
    channel.force(true);
    return new Ledger(channel);
  }

  /**
   * Reads all records.
   *
   * @throws JobException if a record is damaged that is not the last one, or is of another version
   */
  static Content read(Path job) throws JobException, IOException {
    Path file = job.resolve(FILE);
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    List<LedgerRecord> records = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int end = at;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      Optional<LedgerRecord> record =
          end < bytes.length ? parse(file, bytes, at, end) : Optional.empty();
      if (record.isEmpty()) {
        if (end + 1 < bytes.length) {
          throw new JobException(
              file + " is damaged: record " + (records.size() + 1) + " at byte " + at);
        }
        break;
      }
      records.add(record.get());
      at = end + 1;
    }
    return new Content(List.copyOf(records), at, bytes.length - at);
  }

  private static Optional<LedgerRecord> parse(Path file, byte[] bytes, int from, int to)
      throws JobException, IOException {
    if (to - from <= CHECKSUM_CHARS + 1) {
      return Optional.empty();
    }
    byte[] json = Arrays.copyOfRange(bytes, from + CHECKSUM_CHARS + 1, to);
    String checksum = new String(bytes, from, CHECKSUM_CHARS + 1, StandardCharsets.ISO_8859_1);
    if (!checksum.equals(checksum(json) + " ")) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(json, LedgerRecord.class));
    } catch (JsonProcessingException e) {
      throw new JobException(
          file
              + " has a record that this Packhorse does not know, at byte "
              + from
              + "; use the one that wrote it");
    }
  }

  /** Appends a record; after a failure the ledger ends with the one before. */
  synchronized void append(LedgerRecord record) throws IOException {
    byte[] json = JSON.writerFor(LedgerRecord.class).writeValueAsBytes(record);
    ByteBuffer line =
        ByteBuffer.wrap(
            (checksum(json) + " " + new String(json, StandardCharsets.UTF_8) + "\n")
                .getBytes(StandardCharsets.UTF_8));
    long before = channel.position();
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(true);
    } catch (IOException e) {
      IOException failed = new IOException("the job's ledger cannot be written: " + e.getMessage());
      failed.addSuppressed(e);
      try {
        channel.truncate(before);
      } catch (IOException alsoFailed) {
        failed.addSuppressed(alsoFailed);
      }
      throw failed;
    }
  }

  private static String checksum(byte[] json) {
    CRC32C crc = new CRC32C();
    crc.update(json);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
