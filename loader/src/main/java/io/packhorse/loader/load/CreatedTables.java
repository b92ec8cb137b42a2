package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.TableChecks;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What was done to give a new cluster its tables.
 *
 * @param done a sentence for each table created
 * @param kept tables that existed, as specified
 * @param regions of the data table
 */
public record CreatedTables(List<String> done, List<String> kept, int regions) {
  /**
   * Creates the tables that do not exist.
   *
   * @param splits keys at which the data table is split
   * @param codec of its blocks, tried on every region server first
   * @throws OperationException REFUSED, with nothing created, if the data table exists, another one
   *     differs from its specification or a server lacks the codec; USAGE if the splits do not fit;
   *     CLUSTER if HBase fails
   */
  public static CreatedTables create(StoreConnection to, List<byte[]> splits, String codec)
      throws IOException {
    List<TableSpec> specs = specs(to, splits, codec);
    PreflightChecks checks = new PreflightChecks(to, CellForm.PACKED, 0);
    Map<String, FoundTable> found = checks.found();
    String data = to.layout().dataTable();
    if (found.containsKey(data)) {
      throw new OperationException(
          Kind.REFUSED, "Nothing was created: " + data + " exists; see packhorse schema describe.");
    }
    List<TableSpec> existing =
        specs.stream().filter(spec -> found.containsKey(spec.name())).toList();
    PreflightChecks.refuse(TableChecks.differences(to.layout(), existing, found));
    if (!codec.equals(FamilySpec.NOT_COMPRESSED)) {
      checks.codec(codec);
      PreflightChecks.refuse(checks.findings());
    }
    return new CreatedTables(
        createMissing(to, specs), List.copyOf(found.keySet()), splits.size() + 1);
  }

  private static List<TableSpec> specs(StoreConnection to, List<byte[]> splits, String codec) {
    try {
      return to.layout().tables(splits, codec);
    } catch (IllegalArgumentException e) {
      throw new OperationException(Kind.USAGE, e.getMessage() + ".", e);
    }
  }

  /** The data table last: a run that was cut off can be repeated as long as it does not exist. */
  private static List<String> createMissing(StoreConnection to, List<TableSpec> specs) {
    List<TableSpec> dataLast = new ArrayList<>(specs);
    Collections.reverse(dataLast);
    try {
      return new HBaseTables(to.cluster().connection()).createMissing(dataLast);
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER,
          "Not all tables were created: "
              + Causes.sentence(e)
              + "; run the command again to create the others.",
          e);
    }
  }
}
