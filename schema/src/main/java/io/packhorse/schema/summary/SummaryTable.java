package io.packhorse.schema.summary;

import io.packhorse.schema.packed.PackedQualifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names of the summary table, and of the columns that say what it answers for. Those are in the row
 * of the series index that is about the whole data table ({@code SeriesIndexRow.whole}), so that
 * one Get returns them together.
 *
 * <pre>
 *   column                     value
 *   "summaries"                1: every packed cell that no claim covers is in the summary table
 *   "claim" | loader id, 3 B   a {@link SummaryClaim} of that loader
 *   "claim" | 8 bytes          one of somebody else, under a random number
 * </pre>
 */
public final class SummaryTable {
  /** Set if all packed cells are summed up, but for those of claims. */
  public static final String WHOLE = "summaries";

  private static final String SUFFIX = "-summary";
  private static final byte[] CLAIM = "claim".getBytes(StandardCharsets.US_ASCII);
  private static final int LOADER_LENGTH = 3;

  private SummaryTable() {}

  /** The summary table of a data table. */
  public static String of(String dataTable) {
    return dataTable + SUFFIX;
  }

  /** Column of the claim of a loader. */
  public static byte[] claim(int loaderId) {
    if (loaderId < 1 || loaderId > PackedQualifier.MAX_LOADER_ID) {
      throw new IllegalArgumentException("loader id must be 1 to 2^24 - 1: loaderId=" + loaderId);
    }
    return column(loaderId, LOADER_LENGTH);
  }

  /**
   * Column of a claim of no loader.
   *
   * @param number a random one
   */
  public static byte[] otherClaim(long number) {
    return column(number, Long.BYTES);
  }

  private static byte[] column(long number, int length) {
    byte[] column = Arrays.copyOf(CLAIM, CLAIM.length + length);
    for (int i = 0; i < length; i++) {
      column[column.length - 1 - i] = (byte) (number >>> (Byte.SIZE * i));
    }
    return column;
  }

  /** Whether a column is that of a claim. */
  public static boolean isClaim(byte[] column) {
    return column.length > CLAIM.length
        && Arrays.equals(column, 0, CLAIM.length, CLAIM, 0, CLAIM.length);
  }

  /** Loader id of a claim; 0 if it is of no loader. */
  public static int loaderOf(byte[] column) {
    if (column.length != CLAIM.length + LOADER_LENGTH) {
      return 0;
    }
    int id = 0;
    for (int i = CLAIM.length; i < column.length; i++) {
      id = (id << Byte.SIZE) | (column[i] & 0xff);
    }
    return id;
  }
}
