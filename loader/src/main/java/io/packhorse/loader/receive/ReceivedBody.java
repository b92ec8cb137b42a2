package io.packhorse.loader.receive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The body of one request, with all that is needed to read it again.
 *
 * @param encoding how the bytes are compressed
 * @param receivedMs when it arrived, milliseconds since 1970: the time of lines without one
 * @param client address it came from, for the file of rejects
 * @param bytes as they came; not changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ReceivedBody(
    BodyFormat format, BodyEncoding encoding, long receivedMs, String client, byte[] bytes) {
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 12;
  private static final int CLIENT_BYTES_MAX = 255;

  /**
   * What comes before the body in its record of the log: a version, the codes of format and
   * encoding, the length of the client's address, the time of arrival as 8 bytes, the address in
   * UTF-8.
   */
  byte[] recordHead() {
    byte[] address = client.getBytes(StandardCharsets.UTF_8);
    int addressBytes = Math.min(CLIENT_BYTES_MAX, address.length);
    return ByteBuffer.allocate(HEADER_BYTES + addressBytes)
        .put(VERSION)
        .put((byte) format.code())
        .put((byte) encoding.code())
        .put((byte) addressBytes)
        .putLong(receivedMs)
        .put(address, 0, addressBytes)
        .array();
  }

  /**
   * Reads a record of the log.
   *
   * @throws IOException if another version of Packhorse wrote it
   */
  static ReceivedBody ofRecord(byte[] payload) throws IOException {
    if (payload.length < HEADER_BYTES || payload[0] != VERSION) {
      throw new IOException("the log has a record of a version that this Packhorse cannot read");
    }
    ByteBuffer record = ByteBuffer.wrap(payload);
    int body = HEADER_BYTES + (payload[3] & 0xff);
    return new ReceivedBody(
        format(payload[1]),
        encoding(payload[2]),
        record.getLong(4),
        new String(payload, HEADER_BYTES, body - HEADER_BYTES, StandardCharsets.UTF_8),
        Arrays.copyOfRange(payload, body, payload.length));
  }

  private static BodyEncoding encoding(byte code) throws IOException {
    for (BodyEncoding encoding : BodyEncoding.values()) {
      if (encoding.code() == code) {
        return encoding;
      }
    }
    throw new IOException("the log has a record of an unknown encoding: " + code);
  }

  private static BodyFormat format(byte code) throws IOException {
    for (BodyFormat format : BodyFormat.values()) {
      if (format.code() == code) {
        return format;
      }
    }
    throw new IOException("the log has a record of an unknown format: " + code);
  }
}
