package io.packhorse.loader.table.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ConcurrentTableModificationException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

/** Two loads at once that both miss a family. */
final class HBaseTablesTest {
  private final IOException raced =
      new ConcurrentTableModificationException("Skipping modify table operation on table 'tsdb'");

  private TableSpec found = spec("t");

  private static TableSpec spec(String... families) {
    return new TableSpec(
        "tsdb", List.of(families).stream().map(FamilySpec::new).toList(), List.of(), true, false);
  }

  /** What is done about a missing family p, where HBase refuses to add it. */
  private List<String> createMissing(TableSpec then) throws IOException {
    Admin admin =
        Answers.of(
            Admin.class,
            method ->
                switch (method) {
                  case "tableExists" -> true;
                  case "getDescriptor" -> HBaseTables.describe(found);
                  case "addColumnFamily" -> {
                    found = then;
                    throw raced;
                  }
                  default -> throw new IOException("not to be asked: " + method);
                });
    return new HBaseTables(Answers.of(Connection.class, method -> admin))
        .createMissing(List.of(spec("t", "p")));
  }

  @Test
  void aFamilyThatAnotherLoadHasAddedMeanwhileIsThere() throws Exception {
    assertEquals(List.of(), createMissing(spec("t", "p")));
  }

  @Test
  void aFamilyThatCannotBeAddedIsAFailure() {
    assertSame(raced, assertThrows(IOException.class, () -> createMissing(spec("t"))));
  }
}
