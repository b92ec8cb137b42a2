package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DictionaryTest {
  private final Dictionary dictionary = new Dictionary();

  /** So many values, the first ones distinct, then the last of them over and over. */
  private static long[] distinct(int count, int distinct) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = Math.min(i, distinct - 1) * 0x1_0000_0001L;
    }
    return values;
  }

  private int build(long[] values) {
    return dictionary.build(values, values.length, min(values), max(values));
  }

  @Test
  void takesUpToHalfAsManyEntriesAsValues() {
    assertEquals(50, build(distinct(100, 50)));
    assertEquals(0, build(distinct(100, 51)));
    assertEquals(4096, build(distinct(9000, 4096)));
    assertEquals(0, build(distinct(9000, 4097)));
  }

  @Test
  void idsArePlacesAmongTheSorted() {
    long[] values = {7, -1, Long.MAX_VALUE, 7, Long.MIN_VALUE, -1, 7, 7, 7, 7};
    assertEquals(4, build(values));
    assertArrayEquals(
        new long[] {Long.MIN_VALUE, -1, 7, Long.MAX_VALUE}, Arrays.copyOf(dictionary.sorted(), 4));
    long[] ids = new long[values.length];
    dictionary.ids(values, values.length, ids);
    assertArrayEquals(new long[] {2, 1, 3, 2, 0, 1, 2, 2, 2, 2}, ids);
  }

  @Test
  void estimatesByHowManyOfSomeAreEqual() {
    assertEquals(Integer.MAX_VALUE, firstEstimate(distinct(300, 300)), "none");
    assertEquals(88, firstEstimate(distinct(256, 128)));
  }

  /** No more than these are looked at: an entry too many for a dictionary is seen. */
  @Test
  void fewValuesAreCounted() {
    assertEquals(50, build(distinct(100, 50)));
    assertEquals(67, firstEstimate(distinct(100, 50)));
    assertEquals(Integer.MAX_VALUE, firstEstimate(distinct(100, 51)));
  }

  /** Below a range of 1,024 values are counted by bits, else by a table: with the same result. */
  @Test
  void closeAndFarValuesCountAlike() {
    Random random = new Random(11);
    for (int range = 1; range <= 1030; range += 7) {
      long[] close = new long[400];
      long[] far = new long[400];
      for (int i = 0; i < 400; i++) {
        close[i] = random.nextInt(range) + Long.MAX_VALUE - 1030;
        far[i] = (close[i] & 0xfff) << 40;
      }
      assertEquals(firstEstimate(far), firstEstimate(close), "range " + range);
      assertEntriesAlike(far, close, "range " + range);
    }
  }

  private void assertEntriesAlike(long[] far, long[] close, String message) {
    int count = far.length;
    int entries = build(far);
    long[] ids = new long[count];
    dictionary.ids(far, count, ids);
    long[] sorted = dictionary.sorted().clone();
    assertEquals(entries, build(close), message);
    long[] closeIds = new long[count];
    if (entries > 0) {
      dictionary.ids(close, count, closeIds);
      assertArrayEquals(ids, closeIds, message);
    }
    for (int i = 0; i < entries; i++) {
      assertEquals(sorted[i], (dictionary.sorted()[i] & 0xfff) << 40, message);
    }
  }

  private int firstEstimate(long[] values) {
    return dictionary.estimate(values, values.length, min(values), max(values));
  }

  private static long min(long[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static long max(long[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }

  /** A third of the values once each, the rest bytes: ids of twelve bits pay, but lengths more. */
  @Test
  void lengthsThatAreShorterAreWrittenInstead() throws MalformedCellException {
    Random random = new Random(7);
    long[] values = new long[12_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(60) < 19 ? random.nextLong() : (byte) random.nextInt();
    }
    int lengths =
        ByteLengths.codeBytes(values.length) + new ByteLengths().scan(values, values.length);
    ByteWriter out = new ByteWriter(0);
    new IntegerWriter().write(values, values.length, out);
    assertEquals(IntegerRun.tag(IntegerRun.OF_VALUES, IntegerRun.LENGTHS), out.array()[0]);
    assertEquals(1 + lengths, out.length());
    byte[] bytes = Arrays.copyOf(out.array(), out.length() + BitPacking.SLACK);
    long[] back = new long[values.length];
    new IntegerReader().read(new ByteReader(bytes, 0, out.length()), bytes, back.length, back);
    assertArrayEquals(values, back);
  }

  @Test
  void looksAtMoreWhereFewLeaveItOpen() {
    long[] half = new long[1024];
    for (int i = 0; i < 1024; i++) {
      half[i] = i % 8 == 0 && i <= 768 ? -1 : i;
    }
    assertEquals(47, estimate(half, 1024), "three quarters are near enough");
    assertEquals(510, estimate(open(319), 1024), "just below half as many as values");
    assertEquals(Integer.MAX_VALUE, estimate(open(320), 1024), "more");
    long[] small = new long[512];
    for (int i = 0; i < 512; i += 4) {
      small[i] = Math.min(i / 4, 99) * 1000L + 1000;
    }
    assertEquals(249, estimate(small, 512), "no more than these");
    for (int i = 0; i < 512; i++) {
      small[i] /= 1000;
    }
    assertEquals(101, estimate(small, 512), "close ones are counted");
    assertEquals(Integer.MAX_VALUE, estimate(rising(300, 299), 300), "too many");
  }

  private int estimate(long[] values, int count) {
    int few = firstEstimate(values);
    return dictionary.closerEstimate(values, count, min(values), max(values), few);
  }

  /** 0, 1, 2 ..., the last of them over and over. */
  private static long[] rising(int count, int distinct) {
    return Arrays.stream(distinct(count, distinct)).map(value -> value & 0xffff).toArray();
  }

  /** Every eighth of 1,024 values is distinct; every second, these among them, so many are. */
  private static long[] open(int distinct) {
    long[] values = new long[1024];
    int next = 0;
    for (int i = 0; i < 1024; i += 2) {
      values[i] = i % 8 == 0 ? 10_000L + i : Math.min(next++, distinct - 129);
    }
    return values;
  }
}
