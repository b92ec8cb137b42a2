package io.packhorse.loader.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.cell.Qualifier;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RowPointsTest {
  private final RowPoints points = new RowPoints();

  @Test
  void aRowWithoutPointsIsEmpty() throws MalformedCellException {
    assertEquals(0, of().count());
    assertEquals(0, points.columns());
    StoredColumn annotation = new StoredColumn(false, new byte[] {1, 0, 0}, 5, new byte[] {'{'});
    StoredColumn later =
        new StoredColumn(true, new byte[] {(byte) 0xA2, 0, 0, 1, 0}, 5, new byte[1]);
    assertEquals(0, of(annotation, later).count(), "not ours to read");
    assertEquals(0, points.columns());
  }

  @Test
  void onePackedCellIsItsPoints() throws MalformedCellException {
    assertEquals(block(0, 1, 1000, 2), of(packed(9, 1, 0, 0, 1, 1000, 2)));
    assertEquals(1, points.columns());
  }

  @Test
  void partsAreMergedInOrderOfTime() throws MalformedCellException {
    assertEquals(
        block(0, 1, 500, 5, 1000, 2, 2000, 6),
        of(packed(9, 1, 0, 0, 1, 1000, 2), packed(9, 1, 1, 500, 5, 2000, 6)));
    assertEquals(2, points.columns());
  }

  @Test
  void theGreaterStampWins() throws MalformedCellException {
    assertBothWays(1, packed(9, 1, 0, 0, 1), packed(8, 200, 9, 0, 2));
    assertBothWays(1, compacted(9, 0, 1), packed(8, 1, 0, 0, 2));
    assertBothWays(1, packed(9, 1, 0, 0, 1), compacted(8, 0, 2));
  }

  @Test
  void packedWinsOverPlainOfTheSameStamp() throws MalformedCellException {
    assertBothWays(1, packed(9, 1, 0, 0, 1), compacted(9, 0, 2));
    assertBothWays(1, packed(9, 1, 0, 0, 1), append(9, 0, 2));
  }

  @Test
  void theGreaterLoaderIdWins() throws MalformedCellException {
    assertBothWays(1, packed(9, 2, 0, 0, 1), packed(9, 1, 255, 0, 2));
    assertBothWays(1, packed(9, 0x80_0000, 0, 0, 1), packed(9, 0x7f_ffff, 0, 0, 2));
  }

  @Test
  void theGreaterPartWins() throws MalformedCellException {
    assertBothWays(1, packed(9, 1, 1, 0, 1), packed(9, 1, 0, 0, 2));
    assertBothWays(1, packed(9, 1, 128, 0, 1), packed(9, 1, 127, 0, 2));
  }

  @Test
  void allFormsMixInOneRow() throws MalformedCellException {
    StoredColumn single =
        new StoredColumn(false, new Qualifier(3000, false, false, 1).toBytes(), 5, new byte[] {33});
    StoredColumn annotation = new StoredColumn(false, new byte[] {1, 0, 0}, 99, new byte[] {'{'});
    assertEquals(
        block(0, 10, 1000, 21, 2000, 32, 3000, 33, 4000, 44),
        of(
            compacted(4, 0, 10, 1000, 11, 2000, 12),
            packed(6, 3, 0, 1000, 21),
            annotation,
            append(7, 2000, 32, 4000, 44),
            single));
    assertEquals(4, points.columns());
  }

  @Test
  void kindsStayWithTheirPoints() throws MalformedCellException {
    PointBlock doubles = new PointBlock();
    doubles.addDouble(0, Double.doubleToRawLongBits(1.5));
    doubles.addLong(1000, 7);
    StoredColumn column =
        new StoredColumn(
            true, new PackedQualifier(1, 0).toBytes(), 9, new PackedCellEncoder().encode(doubles));
    PointBlock merged = of(column, packed(9, 1, 1, 1000, 8, 2000, 9));
    assertEquals(1, merged.doubles());
    assertEquals(3, merged.count());
    assertEquals(8, merged.values()[1]);
  }

  @Test
  void aCorruptCellIsMalformed() throws MalformedCellException {
    StoredColumn good = packed(9, 1, 0, 0, 1);
    byte[] value = good.value().clone();
    value[0] = 0x7f;
    StoredColumn corrupt = new StoredColumn(true, good.qualifier(), 9, value);
    assertThrows(MalformedCellException.class, () -> of(corrupt));
    assertThrows(MalformedCellException.class, () -> of(packed(9, 2, 0, 0, 1), corrupt));
    StoredColumn noLength = new StoredColumn(false, new byte[] {0, 0}, 9, new byte[0]);
    assertThrows(MalformedCellException.class, () -> of(noLength));
    assertEquals(block(0, 1), of(good), "the next row reads as if nothing had been");
  }

  @Test
  void aLoaderIdOfZeroIsReadLikeAnyOther() throws MalformedCellException {
    StoredColumn zero =
        new StoredColumn(
            true, new byte[] {(byte) 0xA1, 0, 0, 0, 7}, 9, packed(9, 1, 0, 0, 2).value());
    assertBothWays(1, packed(9, 1, 0, 0, 1), zero);
  }

  /** As the TSD does it, which keeps what it meets first. */
  @Test
  void ofPlainColumnsWithOneStampTheFirstWins() throws MalformedCellException {
    assertEquals(block(0, 1), of(compacted(9, 0, 1), append(9, 0, 2)));
    assertEquals(block(0, 2, 1000, 3), of(append(9, 0, 2), compacted(9, 0, 1, 1000, 3)));
    assertEquals(1, points.replaced());
  }

  @Test
  void brokenColumnsAreToldAndTheOthersMerged() throws MalformedCellException {
    StoredColumn noLength = new StoredColumn(false, new byte[] {0, 0}, 9, new byte[0]);
    StoredColumn cut =
        new StoredColumn(true, new PackedQualifier(1, 0).toBytes(), 9, new byte[] {(byte) 0xA1});
    List<StoredColumn> broken = new ArrayList<>();
    StoredRow row =
        new StoredRow(
            new byte[0], List.of(noLength, compacted(7, 0, 1, 1000, 2), cut, append(8, 1000, 3)));
    assertEquals(block(0, 1, 1000, 3), points.of(row, (column, reason) -> broken.add(column)));
    assertEquals(List.of(cut, noLength), broken, "of the highest precedence first");
    assertEquals(1, points.replaced());
    StoredRow alone = new StoredRow(new byte[0], List.of(cut));
    assertEquals(0, points.of(alone, (column, reason) -> broken.add(column)).count());
    assertEquals(3, broken.size());
    assertEquals(0, points.replaced());
  }

  /** A row of live points. */
  @Test
  void thousandsOfSinglePointsAreMerged() throws MalformedCellException {
    List<StoredColumn> columns = new ArrayList<>();
    int[] expected = new int[2 * 3600];
    for (int i = 0; i < 3600; i++) {
      columns.add(
          new StoredColumn(
              false,
              new Qualifier(i * 1000, false, false, 2).toBytes(),
              5 + i,
              new byte[] {(byte) (i >> 8), (byte) i}));
      expected[2 * i] = i * 1000;
      expected[2 * i + 1] = (short) i;
    }
    Collections.shuffle(columns, new Random(4));
    assertEquals(block(expected), points.of(new StoredRow(new byte[0], columns)));
    assertEquals(3600, points.columns());
  }

  @Test
  void anyMixOfColumnsEqualsPuttingThemOneOverTheOther() throws MalformedCellException {
    for (long seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<StoredColumn> columns = new ArrayList<>();
      TreeMap<Integer, Integer> model = new TreeMap<>();
      int loader = 1;
      int part = 0;
      for (int stamp = 1; stamp <= 4; stamp++) {
        for (int column = random.nextInt(3); column > 0; column--) {
          int[] some = some(random, stamp * 100 + part);
          // Plain columns of one stamp would have no order among themselves: at most one, first.
          boolean plain =
              column > 1 && random.nextBoolean() && columns.stream().noneMatch(stamped(stamp));
          if (plain) {
            columns.add(random.nextBoolean() ? compacted(stamp, some) : append(stamp, some));
          } else {
            part += 1;
            loader += random.nextInt(2);
            columns.add(packed(stamp, loader, part, some));
          }
          for (int i = 0; i < some.length; i += 2) {
            model.put(some[i], some[i + 1]);
          }
        }
      }
      Collections.shuffle(columns, new Random(seed));
      int[] expected = new int[model.size() * 2];
      int next = 0;
      for (var point : model.entrySet()) {
        expected[next++] = point.getKey();
        expected[next++] = point.getValue();
      }
      assertEquals(block(expected), points.of(new StoredRow(new byte[0], columns)), "seed " + seed);
    }
  }

  private static java.util.function.Predicate<StoredColumn> stamped(long stamp) {
    return column -> column.stampMs() == stamp;
  }

  private static int[] some(SplittableRandom random, int value) {
    int[] offsetsAndValues = new int[2 * (1 + random.nextInt(8))];
    int offset = random.nextInt(4) * 1000;
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      offsetsAndValues[i] = offset;
      offsetsAndValues[i + 1] = value;
      offset += 1000 * (1 + random.nextInt(3));
    }
    return offsetsAndValues;
  }

  private void assertBothWays(int value, StoredColumn one, StoredColumn other)
      throws MalformedCellException {
    assertEquals(block(0, value), of(one, other));
    assertEquals(block(0, value), of(other, one));
  }

  private PointBlock of(StoredColumn... columns) throws MalformedCellException {
    return points.of(new StoredRow(new byte[0], Arrays.asList(columns)));
  }

  /** Offset, value, offset, value, ... */
  private static PointBlock block(int... offsetsAndValues) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < offsetsAndValues.length; i += 2) {
      block.addLong(offsetsAndValues[i], offsetsAndValues[i + 1]);
    }
    return block;
  }

  private static StoredColumn packed(long stamp, int loader, int part, int... points) {
    return new StoredColumn(
        true,
        new PackedQualifier(loader, part).toBytes(),
        stamp,
        new PackedCellEncoder().encode(block(points)));
  }

  private static StoredColumn compacted(long stamp, int... points) {
    ByteWriter qualifier = new ByteWriter(0);
    ByteWriter value = new ByteWriter(0);
    CompactedCell.encode(block(points), qualifier, value);
    return new StoredColumn(false, qualifier.toByteArray(), stamp, value.toByteArray());
  }

  private static StoredColumn append(long stamp, int... points) {
    ByteWriter value = new ByteWriter(0);
    for (int i = 0; i < points.length; i += 2) {
      byte[] qualifier = new Qualifier(points[i], false, false, 2).toBytes();
      value.writeBytes(qualifier, 0, qualifier.length);
      value.writeByte(points[i + 1] >> 8);
      value.writeByte(points[i + 1]);
    }
    return new StoredColumn(false, new byte[] {5, 0, 0}, stamp, value.toByteArray());
  }
}
