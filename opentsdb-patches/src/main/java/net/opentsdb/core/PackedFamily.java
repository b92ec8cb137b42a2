package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.packhorse.schema.packed.PackedQualifier;
import java.nio.charset.StandardCharsets;
import org.hbase.async.HBaseClient;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.Scanner;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which families of the data table a TSD reads: its own {@code t} and, for packed cells, {@code p}.
 *
 * <p>One instance a TSD, any thread. Until {@code p} is known to exist, all families are scanned: a
 * table without {@code p} is read as by a stock TSD, and cells are seen as soon as the family is
 * added. After the family is removed the TSD needs a restart.
 */
@NullMarked
public final class PackedFamily {
  private static final Logger LOG = LoggerFactory.getLogger(PackedFamily.class);
  private static final byte[] FAMILY = PackedQualifier.FAMILY.getBytes(StandardCharsets.US_ASCII);

  /**
   * Rows must arrive whole: with the client's default of 4,096 cells a longer row arrives in parts
   * that are merged separately, and a point could count although another part has a newer one.
   */
  private static final int CELLS_OF_A_ROW = Integer.MAX_VALUE;

  private volatile boolean present;

  /** Made by the TSDB that it belongs to. */
  PackedFamily() {}

  /**
   * Checks once, at start-up, whether the family exists, and logs the result.
   *
   * @return completes with the answer, never with an error; a missing table is reported by
   *     OpenTSDB's own check
   */
  Deferred<Object> probe(HBaseClient client, byte[] table) {
    return learn(
        client.ensureTableFamilyExists(table, FAMILY),
        new String(table, StandardCharsets.ISO_8859_1));
  }

  /** Records the answer to the check. */
  Deferred<Object> learn(Deferred<Object> answer, String table) {
    Callback<@Nullable Object, @Nullable Object> found =
        result -> {
          present = true;
          LOG.info("Packed cells are read from family " + PackedQualifier.FAMILY + " of " + table);
          return result;
        };
    Callback<@Nullable Object, Exception> missing =
        e -> {
          if (e instanceof NoSuchColumnFamilyException) {
            LOG.info(
                "No family "
                    + PackedQualifier.FAMILY
                    + " in "
                    + table
                    + ": only OpenTSDB's own cells are read");
          } else {
            LOG.warn("Cannot tell whether " + table + " has family " + PackedQualifier.FAMILY, e);
          }
          return null;
        };
    return answer.addCallbacks(found, missing);
  }

  /**
   * Makes a scanner of the data table return packed cells too, and only whole rows. To be called
   * before the scanner starts.
   */
  public void include(Scanner scanner) {
    scanner.setMaxNumKeyValues(CELLS_OF_A_ROW);
    if (present) {
      scanner.setFamilies(new byte[][] {TSDB.FAMILY(), FAMILY}, null);
    } else {
      scanner.setFamilies();
    }
  }
}
