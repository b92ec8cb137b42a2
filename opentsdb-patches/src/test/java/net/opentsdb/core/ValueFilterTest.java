package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.packed.CellStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.opentsdb.core.ValueFilter.Verdict;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions on values: what they keep, and what statistics prove. */
final class ValueFilterTest {
  private static final String[] OPERATORS = {">=", "<=", ">", "<", "=", "==", "!="};

  @Test
  void keepsWhatMeetsAllConditions() {
    ValueFilter filter = filter(" >= 10 , <20 ");
    assertTrue(filter.matches(10) && filter.matches(19.9));
    assertTrue(!filter.matches(9.99) && !filter.matches(20) && !filter.matches(Double.NaN));
    assertTrue(filter("!=3").matches(4) && !filter("!=3").matches(3));
    assertTrue(!filter("!=3").matches(Double.NaN));
    assertTrue(filter("=-1e3").matches(-1000));
    assertNull(ValueFilter.parse(null));
    assertNull(ValueFilter.parse(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"95", ">", ">x", ">NaN", "> 1,", "=>1", ">1 2", ">1;<2", "~1"})
  void refusesOtherTexts(String text) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> ValueFilter.parse(text)).getMessage();
    assertTrue(said.contains("conditions such as >=95"), said);
  }

  @Test
  void statisticsProveOnlyWhatHolds() {
    Random random = new Random(11);
    int known = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int more = random.nextInt(3); more >= 0; more--) {
        text.append(OPERATORS[random.nextInt(OPERATORS.length)]).append(random.nextInt(6));
        text.append(more == 0 ? "" : ",");
      }
      ValueFilter filter = filter(text.toString());
      int[] values = random.ints(1 + random.nextInt(4), 0, 6).toArray();
      int kept = 0;
      int min = 9;
      int max = -9;
      for (int value : values) {
        kept += filter.matches(value) ? 1 : 0;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      int count = values.length;
      Verdict verdict = filter.of(new CellStatistics(true, count, count, 0, 0, min, max, 0));
      if (verdict == Verdict.ALL_MATCH) {
        assertEquals(count, kept, text.toString());
      } else if (verdict == Verdict.NONE_MATCHES) {
        assertEquals(0, kept, text.toString());
      }
      known += verdict == Verdict.UNKNOWN ? 0 : 1;
    }
    assertTrue(known > 8_000, "known=" + known);
  }

  @Test
  void rowsKeepTheirPoints() {
    KeyValue packed = Cells.packed(Cells.longs(7, 0, 1000, 2500), 1, 0, 10);
    assertSame(packed, filter(">=7").apply(packed));
    assertNull(filter(">9").apply(packed));
    KeyValue some = filter("!=8").apply(packed);
    assertNotNull(some);
    assertEquals(List.of(7L, 9L), values(some));
    KeyValue again = filter(">8").apply(some);
    assertNotNull(again);
    assertEquals(List.of(9L), values(again));
  }

  private static List<Long> values(KeyValue row) {
    List<Long> values = new ArrayList<>();
    HourPoints hour = HourPoints.ofThread();
    assertTrue(hour.read(row, 0, null));
    for (int i = 0; i < hour.count(); i++) {
      values.add(hour.values()[i]);
    }
    return values;
  }

  private static ValueFilter filter(String text) {
    ValueFilter filter = ValueFilter.parse(text);
    assertNotNull(filter);
    return filter;
  }
}
