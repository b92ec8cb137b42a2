package io.packhorse.benchmarks.cells;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.file.metadata.enums.TSEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CellCodecsTest {
  static List<CellCodec<?>> codecs() {
    List<CellCodec<?>> codecs = new ArrayList<>();
    codecs.add(new PackedCodec());
    codecs.add(new CompactedCodec());
    codecs.add(new GorillaCodec());
    codecs.add(new ZstdCodec(false));
    codecs.add(new ZstdCodec(true));
    return codecs;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void giveBackEveryShape(CellCodec<?> codec) {
    for (CellShape shape : CellShapes.all()) {
      for (int points : new int[] {3600, 60, 4}) {
        assertTrue(CellTrial.givesBack(codec, shape.blocks(points).subList(0, 2)), shape.id());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void giveBackWildTimesAndValues(CellCodec<?> codec) {
    for (int seed = 0; seed < 150; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PointBlock block = new PointBlock();
      boolean areDoubles = random.nextBoolean();
      int stepBits = 1 + random.nextInt(21);
      int shift = random.nextInt(64);
      int unit = random.nextBoolean() ? 1000 : 1;
      int offset = random.nextInt(100) * unit;
      while (offset < PointBlock.HOUR_MS && block.count() < 200) {
        block.add(offset, random.nextLong() >> shift, areDoubles);
        offset += (1 + random.nextInt(1 << random.nextInt(stepBits))) * unit;
      }
      assertTrue(CellTrial.givesBack(codec, List.of(block)), codec.system() + " seed=" + seed);
    }
  }

  @Test
  void gorillaTakesOneBitForEachTimeAndValueThatDoesNotChange() {
    PointBlock block = new PointBlock();
    for (int i = 0; i < 60; i++) {
      block.addLong(i * 60_000, 42);
    }
    // 19 bits of header, 14 + 64 of the first point, 9 + 1 of the second, 9 + 1 of the first delta.
    int bits = 2 + 17 + 14 + 64 + (9 + 1) + 58 * 2;
    assertEquals((bits + 7) / 8, new GorillaCodec().encode(block).length);
  }

  @Test
  void trialAddsUpBytesOverAllBlocks() throws IOException {
    List<PointBlock> blocks = CellShapes.all().get(0).blocks(60);
    CompactedCodec codec = new CompactedCodec();
    CellTrial<?> trial = new CellTrial<>(codec, blocks);
    trial.check();
    long bytes = blocks.stream().mapToLong(block -> codec.bytes(codec.encode(block))).sum();
    assertEquals((double) bytes / (60L * blocks.size()), trial.bytesPerPoint());
    assertEquals(trial.bytesPerPoint(), trial.columnBytesPerPoint());
  }

  @Test
  void trialFindsASingleWrongBit() {
    List<PointBlock> blocks = CellShapes.all().get(0).blocks(60).subList(0, 3);
    CellCodec<PointBlock> wrong =
        new CellCodec<>() {
          @Override
          public String system() {
            return "wrong";
          }

          @Override
          public PointBlock encode(PointBlock block) {
            return block;
          }

          @Override
          public void decode(PointBlock stored, PointBlock into) {
            for (int i = 0; i < stored.count(); i++) {
              into.offsetsMs()[i] = stored.offsetsMs()[i];
              into.values()[i] = stored.values()[i];
            }
            if (stored.equals(blocks.get(2))) {
              into.values()[59] ^= 1;
            }
          }

          @Override
          public long bytes(PointBlock stored) {
            return 1;
          }
        };
    assertTrue(CellTrial.givesBack(wrong, blocks.subList(0, 2)));
    assertFalse(CellTrial.givesBack(wrong, blocks));
    IOException told =
        assertThrows(IOException.class, () -> new CellTrial<>(wrong, blocks).check());
    assertEquals("wrong gives back other points for block 2", told.getMessage());
  }

  @Test
  void tsFileRoundsWhatHasMoreDecimalsThanItIsTold() {
    List<PointBlock> hundredths = List.of(block(1.25, 2.5, 3.75));
    assertFalse(CellTrial.givesBack(tsFile(TSEncoding.TS_2DIFF, 1), hundredths));
    assertTrue(CellTrial.givesBack(tsFile(TSEncoding.TS_2DIFF, 2), hundredths));
    assertTrue(CellTrial.givesBack(tsFile(TSEncoding.GORILLA, -1), hundredths));
  }

  private static TsFileCodec tsFile(TSEncoding encoding, int decimals) {
    return new TsFileCodec(new TsFileEncoding(TSDataType.DOUBLE, encoding, decimals));
  }

  private static PointBlock block(double... values) {
    PointBlock block = new PointBlock();
    for (int i = 0; i < values.length; i++) {
      block.addDouble(i * 1000, Double.doubleToRawLongBits(values[i]));
    }
    return block;
  }

  @Test
  void mixedKindsBecomeDoublesForThoseWhoStoreOneKind() {
    PointBlock mixed = new PointBlock();
    mixed.addLong(0, 7);
    mixed.addDouble(1000, Double.doubleToRawLongBits(1.5));
    CellCase cells = new CellCase("mixed", List.of(mixed));
    assertEquals(List.of(block(7, 1.5)), cells.blocksOfOneKind());
    assertEquals(2, cells.points());
  }

  @Test
  void bitsComeBackInOrder() {
    BitString sink = new BitString();
    BitScan scan = new BitScan();
    for (int seed = 0; seed < 200; seed++) {
      int count = 1 + seed * 10;
      SplittableRandom random = new SplittableRandom(seed);
      sink.reset();
      long[] numbers = new long[count];
      int[] widths = new int[count];
      int bits = 0;
      for (int i = 0; i < count; i++) {
        widths[i] = 1 + random.nextInt(64);
        numbers[i] = random.nextLong() >>> (64 - widths[i]);
        sink.write(numbers[i], widths[i]);
        bits += widths[i];
      }
      byte[] bytes = sink.toByteArray();
      assertEquals((bits + 7) / 8, bytes.length);
      scan.reset(bytes);
      long[] back = new long[count];
      for (int i = 0; i < count; i++) {
        back[i] = scan.read(widths[i]);
      }
      assertArrayEquals(numbers, back, "seed=" + seed);
    }
  }
}
