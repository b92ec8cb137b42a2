package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.packhorse.schema.packed.PackedQualifier;
import java.nio.charset.StandardCharsets;
import org.hbase.async.Bytes;
import org.hbase.async.GetRequest;
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
 * <p>One instance a TSD, any thread. Until {@code p} is known to be there, all families are asked
 * for: a table without {@code p} answers as ever, and cells are seen from the moment the family is
 * added. A family that is taken away again needs a restart.
 */
@NullMarked
final class PackedFamily {
  private static final Logger LOG = LoggerFactory.getLogger(PackedFamily.class);
  private static final byte[] FAMILY = PackedQualifier.FAMILY.getBytes(StandardCharsets.US_ASCII);

  private volatile boolean present;

  /**
   * Asks once, at the start, and says in the log what was found.
   *
   * @return completes when the answer is here; never with an error, a missing table is reported by
   *     OpenTSDB's own check
   */
  Deferred<Object> probe(HBaseClient client, byte[] table) {
    String name = new String(table, StandardCharsets.ISO_8859_1);
    Callback<@Nullable Object, @Nullable Object> found =
        answer -> {
          present = true;
          LOG.info("Packed cells are read from family " + PackedQualifier.FAMILY + " of " + name);
          return answer;
        };
    Callback<@Nullable Object, Exception> missing =
        e -> {
          if (e instanceof NoSuchColumnFamilyException) {
            LOG.info("No family " + PackedQualifier.FAMILY + " in " + name + ": no packed cells");
          } else {
            LOG.warn("Family " + PackedQualifier.FAMILY + " of " + name + " is not known", e);
          }
          return null;
        };
    return client.ensureTableFamilyExists(table, FAMILY).addCallbacks(found, missing);
  }

  /** Makes a scanner of the data table return packed cells too; to be called before it starts. */
  void include(Scanner scanner) {
    if (present) {
      scanner.setFamilies(new byte[][] {TSDB.FAMILY(), FAMILY}, null);
    } else {
      scanner.setFamilies();
    }
  }

  /** Reads a row: of the data table with packed cells, of a rollup table as it is. */
  static GetRequest get(TSDB tsdb, byte[] table, byte[] key) {
    return Bytes.equals(table, tsdb.dataTable())
        ? new GetRequest(table, key)
        : new GetRequest(table, key, TSDB.FAMILY());
  }
}
