package io.packhorse.loader.point;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumberBlocksTest {
  @Test
  void keepsWhatIsSetAndGivesTheRestAsAbsent() {
    SplittableRandom random = new SplittableRandom(5);
    IntBlocks ints = new IntBlocks(-1);
    LongBlocks longs = new LongBlocks(-2);
    Map<Integer, Integer> expected = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      int index = random.nextInt(1 << (4 + i % 17));
      expected.put(index, i);
      ints.set(index, i);
      longs.set(index, ((long) i << 40) + i);
    }
    for (int index = 0; index < 1 << 20; index += 1 + index % 3) {
      Integer value = expected.get(index);
      assertEquals(value == null ? -1 : value, ints.get(index));
      assertEquals(value == null ? -2 : ((long) value << 40) + value, longs.get(index));
    }
    assertEquals(-1, ints.get(Integer.MAX_VALUE));
    assertEquals(-1, ints.get(0x9000_0000), "an index is unsigned");
  }
}
