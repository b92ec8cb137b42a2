package io.packhorse.schema.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.packed.PackedQualifier;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreTablesTest {
  private static final List<TableSpec> ALL = StoreTables.all(1, 4, "NONE");

  @Test
  void namesOpenTsdbsTablesAndOurs() {
    assertEquals(
        List.of("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree", "tsdb-summary", "packhorse"),
        ALL.stream().map(TableSpec::name).toList());
  }

  @Test
  void splitsTheDataTableOnceAndForAll() {
    TableSpec data = ALL.get(0);
    assertEquals(3, data.splitPoints().size());
    assertFalse(data.regionSplits());
    assertEquals(List.of(new FamilySpec("t"), new FamilySpec("p")), data.families());
    for (TableSpec other : ALL.subList(1, ALL.size())) {
      assertTrue(other.regionSplits());
      assertEquals(
          other.name().equals("tsdb-summary") ? data.splitPoints() : List.of(),
          other.splitPoints());
    }
  }

  @Test
  void onlyNamesAreWrittenManyAtOnce() {
    assertEquals(
        List.of(StoreTables.UID),
        ALL.stream().filter(TableSpec::multiRowPuts).map(TableSpec::name).toList());
  }

  @Test
  void compressesWhatThereIsMuchOf() {
    List<String> compressed =
        StoreTables.all(1, 4, "ZSTD").stream()
            .flatMap(
                table ->
                    table.families().stream()
                        .filter(family -> family.compression().equals("ZSTD"))
                        .map(family -> table.name() + ":" + family.name()))
            .toList();
    assertEquals(List.of("tsdb:p", "tsdb-meta:name"), compressed);
  }

  @Test
  void takesNamesAndCompressionOfACluster() {
    List<TableSpec> named = StoreTables.named("a", "b", "c", "d", List.of(), "ZSTD", "ZSTD");
    assertEquals(
        List.of("a", "b", "c", "d", "a-summary", "packhorse"),
        named.stream().map(TableSpec::name).toList());
    FamilySpec packed = named.get(0).families().get(1);
    assertEquals(new FamilySpec("p", "ZSTD"), packed);
    assertEquals("FAST_DIFF", packed.encoding());
    assertEquals("NONE", named.get(5).families().get(0).encoding());
  }

  @Test
  void putsPackedCellsWhereTheirQualifierSays() {
    assertEquals(PackedQualifier.FAMILY, StoreTables.PACKED_FAMILY);
  }

  @Test
  void rejectsTablesWithoutFamilyAndOddFamilyNames() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new TableSpec("x", List.of(), List.of(), true, false));
    assertThrows(IllegalArgumentException.class, () -> new FamilySpec("a:b"));
    assertThrows(IllegalArgumentException.class, () -> new FamilySpec("t", "zstd"));
  }
}
