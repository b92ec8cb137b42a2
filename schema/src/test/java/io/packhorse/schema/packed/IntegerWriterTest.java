package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.packhorse.schema.bytes.ByteWriter;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntegerWriterTest {
  /** Runs of one value skip the comparison of forms. */
  @Test
  void aRunOfOneValueIsWrittenAsTheSmallestForm() {
    Random random = new Random(34);
    for (int round = 0; round < 10_000; round++) {
      long[] value = {random.nextLong() >> random.nextInt(64)};
      ByteWriter written = new ByteWriter(0);
      new IntegerWriter().write(value, 1, written);
      ByteWriter compared = new ByteWriter(0);
      IntegerWriter writer = new IntegerWriter();
      writer.scan(value, 1);
      writer.writeScanned(value, 1, compared);
      assertArrayEquals(bytes(compared), bytes(written), () -> "value " + value[0]);
    }
  }

  private static byte[] bytes(ByteWriter of) {
    return Arrays.copyOf(of.array(), of.length());
  }
}
