package io.packhorse.schema.key;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

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

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private SeriesMetaRow() {}

  /**
   * The object of a series of which nobody has said anything; a new array.
   *
   * @param tsuid its row
   * @param createdSeconds when it was first stored, since 1970
   */
  public static byte[] object(byte[] tsuid, long createdSeconds) {
    String json =
        "{\"tsuid\":\""
            + HEX.formatHex(tsuid)
            + "\",\"displayName\":\"\",\"description\":\"\",\"notes\":\"\",\"created\":"
            + createdSeconds
            + ",\"custom\":null,\"units\":\"\",\"dataType\":\"\",\"retention\":0,"
            + "\"max\":\"NaN\",\"min\":\"NaN\"}";
    return json.getBytes(StandardCharsets.US_ASCII);
  }
}
