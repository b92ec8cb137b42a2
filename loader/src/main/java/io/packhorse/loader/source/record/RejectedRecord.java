package io.packhorse.loader.source.record;

import io.packhorse.loader.source.record.Rejects.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A record that is no point, or a field of one.
 *
 * @param line of its chunk, from 0
 * @param at index of its first byte in the chunk's buffer; negative if it has no place there
 * @param bytes hold the record, or a sentence about it, in {@code [from, to)}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RejectedRecord(Reason reason, long line, int at, byte[] bytes, int from, int to) {
  /** A copy that does not hold on to the buffer, cut to what a file of rejects takes. */
  public RejectedRecord copy() {
    byte[] own = Arrays.copyOfRange(bytes, from, Math.min(to, from + Rejects.TEXT_BYTES_MAX));
    return new RejectedRecord(reason, line, at, own, 0, own.length);
  }

  /** Its text, for people; bytes that are not UTF-8 are replaced. */
  public String text() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
