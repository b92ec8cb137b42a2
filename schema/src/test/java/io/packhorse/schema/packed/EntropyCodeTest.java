package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntropyCodeTest {
  private final EntropyCode code = new EntropyCode();

  private byte[] write(long[] residuals) {
    ByteWriter out = new ByteWriter(0);
    code.write(residuals, residuals.length, new IntegerWriter(Effort.FAST), out);
    return out.toByteArray();
  }

  private long[] read(byte[] bytes, int from, int count) throws MalformedCellException {
    byte[] array = Arrays.copyOf(bytes, bytes.length + BitPacking.SLACK);
    ByteReader in = new ByteReader(array, 0, bytes.length);
    long[] residuals = new long[from + count];
    code.read(in, array, residuals, from, count, new IntegerReader());
    in.expectEnd();
    return Arrays.copyOfRange(residuals, from, from + count);
  }

  private MalformedCellException refused(byte[] bytes, int from, int count) {
    return assertThrows(MalformedCellException.class, () -> read(bytes, from, count));
  }

  @Test
  void oneClassNeedsNoWords() throws MalformedCellException {
    for (int count : new int[] {1, 2, 7, 3600}) {
      long[] same = new long[count];
      Arrays.fill(same, -3);
      assertArrayEquals(same, read(write(same), 0, count));
    }
  }

  /** The least residual of each of the 268 classes. */
  private static long[] oneOfEachClass() {
    long[] residuals = new long[EntropyCode.CLASSES];
    for (int i = 0; i < residuals.length; i++) {
      int octave = 5 + (i - 32) / 4;
      residuals[i] = BitPacking.unzigzag(i < 32 ? i : (4L | (i & 3)) << (octave - 2));
    }
    return residuals;
  }

  @Test
  void everyClassComesBack() throws MalformedCellException {
    long[] residuals = oneOfEachClass();
    // So that the centre is 0.
    for (int at : new int[] {1, 2, 3}) {
      residuals[at * residuals.length / 4] = 0;
    }
    assertArrayEquals(residuals, read(write(residuals), 0, residuals.length));
    long[] ends = oneOfEachClass();
    for (int i = 0; i < ends.length; i++) {
      ends[i] = BitPacking.unzigzag(BitPacking.zigzag(ends[i]) | (i < 32 ? 0 : (i - 32) & 7));
    }
    assertArrayEquals(ends, read(write(ends), 3, ends.length));
  }

  @Test
  void classesEndAt268() {
    assertEquals(1, refused(new byte[] {0, 0, (byte) 0x8d, 2}, 0, 5).offset());
    assertEquals(1, refused(new byte[] {0, 1, (byte) 0x8c, 2}, 0, 5).offset());
    assertEquals(1, refused(new byte[] {0, 0, 0}, 0, 5).offset());
    assertEquals(1, refused(new byte[] {0, (byte) 0x8c, 2, 1}, 0, 5).offset());
  }

  /** Rare classes get a frequency of 1 each; these may be more than the heaviest one can give. */
  @Test
  void frequenciesThatDoNotAddUpAreRefused() {
    long[] weights = new long[EntropyCode.CLASSES];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i < 100 ? 48 : 1;
    }
    ByteWriter out = new ByteWriter(0);
    out.writeZigZagLong(0);
    out.writeVarInt(0);
    out.writeVarInt(weights.length);
    new IntegerWriter(Effort.FAST).write(weights, weights.length, out);
    out.writeLongLE(0x0001_0000_0001_0000L);
    MalformedCellException e = refused(out.toByteArray(), 0, 5);
    assertEquals(1, e.offset());
    assertTrue(e.toString().contains("weights leave no frequencies"), e.toString());
  }

  @Test
  void statesAreAtLeast65536() {
    byte[] bytes = write(new long[] {-3, -3});
    int states = bytes.length - 8;
    for (int state : new int[] {states, states + 4}) {
      byte[] low = bytes.clone();
      low[state + 2] = 0;
      MalformedCellException e = refused(low, 0, 2);
      assertEquals(states, e.offset());
      assertTrue(e.toString().contains("at least 65536"), e.toString());
    }
  }

  @Test
  void everyTruncationIsRefusedWhereverTheResidualsGo() {
    SplittableRandom random = new SplittableRandom(8);
    long[] residuals = new long[200];
    for (int i = 0; i < residuals.length; i++) {
      residuals[i] = random.nextInt(-20, 20);
    }
    byte[] bytes = write(residuals);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      String message = refused(cut, 0, residuals.length).toString();
      assertEquals(message, refused(cut, 9, residuals.length).toString());
    }
  }
}
