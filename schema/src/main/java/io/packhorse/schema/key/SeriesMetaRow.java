package io.packhorse.schema.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of a row of the meta table, where OpenTSDB's lookups find series.
 *
 * <pre>
 *   row    family  column   stamp                  value
 *   TSUID  name    ts_ctr   time of a last point   points counted, 8 bytes big-endian
 *   TSUID  name    ts_meta  when written           JSON object
 * </pre>
 */
public final class SeriesMetaRow {
  public static final String FAMILY = "name";

  /** Its stamp is where {@code /api/query/last} looks for the last point. */
  public static final String COUNTER = "ts_ctr";

  /** What users may say of a series. */
  public static final String OBJECT = "ts_meta";

  private static final byte[] DIGITS = ascii("0123456789ABCDEF");
  private static final byte[] BEFORE_TSUID = ascii("{\"tsuid\":\"");
  private static final byte[] BEFORE_CREATED =
      ascii("\",\"displayName\":\"\",\"description\":\"\",\"notes\":\"\",\"created\":");
  private static final byte[] AFTER_CREATED =
      ascii(
          ",\"custom\":null,\"units\":\"\",\"dataType\":\"\",\"retention\":0,"
              + "\"max\":\"NaN\",\"min\":\"NaN\"}");

  private SeriesMetaRow() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The object of a series of which nobody has said anything; a new array.
   *
   * @param tsuid its row
   * @param createdSeconds when it was first stored, since 1970
   */
  public static byte[] object(byte[] tsuid, long createdSeconds) {
    byte[] created = ascii(Long.toString(createdSeconds));
    int length =
        BEFORE_TSUID.length
            + 2 * tsuid.length
            + BEFORE_CREATED.length
            + created.length
            + AFTER_CREATED.length;
    ByteBuffer object = ByteBuffer.allocate(length).put(BEFORE_TSUID);
    for (byte each : tsuid) {
      object.put(DIGITS[each >> 4 & 0xf]).put(DIGITS[each & 0xf]);
    }
    return object.put(BEFORE_CREATED).put(created).put(AFTER_CREATED).array();
  }
}
