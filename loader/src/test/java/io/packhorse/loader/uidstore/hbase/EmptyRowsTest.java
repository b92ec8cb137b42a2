package io.packhorse.loader.uidstore.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EmptyRowsTest {
  /** An older server would write over names that are there. */
  @ParameterizedTest
  @CsvSource({
    "2.6.4-hadoop3 2.6.4-hadoop3, true",
    "2.6.4-hadoop3 0.0.0, true",
    "2.5.0 2.10.1 3.0.0-beta-1, true",
    "2.6.4 2.4.18, false",
    "2.4.18 0.0.0, false",
    "1.7.2 1.7.2, false",
    "null 2.6.4, false",
  })
  void needsServersThatCheckConditions(String versions, boolean heeded) {
    assertEquals(heeded, EmptyRows.checkConditions(Stream.of(versions.split(" "))));
  }
}
