package io.packhorse.cluster.admin;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tables}: creates the tables of OpenTSDB and Packhorse. */
@Command(
    name = "tables",
    mixinStandardHelpOptions = true,
    description = {
      "Creates missing tables, with one region of the data table for each salt bucket. In a cluster",
      "with authorization, also grants the TSD and the loader their rights."
    })
final class TablesCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(
      names = "--tsd-conf",
      paramLabel = "FILE",
      required = true,
      description = "The TSD's opentsdb.conf, for salt width and buckets.")
  private Path tsdConf = Path.of("");

  @Override
  public Integer call() throws IOException {
    SaltFunction salt = TableLayout.ofTsdConfig(tsdConf).rowKeys().salt();
    try (Connection connection = HBaseClient.connect()) {
      List<TableSpec> tables =
          StoreTables.all(salt.width(), salt.buckets(), FamilySpec.NOT_COMPRESSED);
      List<String> done = new ArrayList<>(new HBaseTables(connection).createMissing(tables));
      done.addAll(
          Grants.addMissing(
              connection, tables.stream().map(table -> TableName.valueOf(table.name())).toList()));
      done.forEach(spec.commandLine().getOut()::println);
      spec.commandLine().getOut().println(done.isEmpty() ? "unchanged" : "changed");
      return 0;
    }
  }
}
