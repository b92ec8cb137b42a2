package net.opentsdb.query;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Random;
import org.hbase.async.Bytes.ByteMap;
import org.hbase.async.FuzzyRowFilter.FuzzyFilterPair;
import org.junit.jupiter.api.Test;

/** Every row that the literals allow passes the fuzzy filter; the key regexp refuses the others. */
final class ExplicitTagsTest {
  private static final int PREFIX = 3 + 4;

  @Test
  void fuzzyFilterPassesAllCombinations() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int tags = 1 + random.nextInt(4);
      ByteMap<byte[][]> literals = new ByteMap<>();
      byte[] key = new byte[PREFIX + 6 * tags];
      for (int tag = 0; tag < tags; tag++) {
        byte[] name = {0, 0, (byte) (tag + 1)};
        int count = random.nextInt(4);
        byte[][] values = new byte[count][];
        for (int i = 0; i < count; i++) {
          values[i] = new byte[] {0, (byte) random.nextInt(3), (byte) random.nextInt(100)};
        }
        byte[] chosen =
            count == 0
                ? new byte[] {9, 9, (byte) random.nextInt(9)}
                : values[random.nextInt(count)];
        literals.put(name, count == 0 ? null : values);
        System.arraycopy(name, 0, key, PREFIX + 6 * tag, 3);
        System.arraycopy(chosen, 0, key, PREFIX + 6 * tag + 3, 3);
      }
      assertTrue(
          filters(literals, new byte[key.length]).stream().anyMatch(pair -> passes(pair, key)),
          "seed " + seed + ", round " + round);
    }
  }

  private static boolean passes(FuzzyFilterPair pair, byte[] key) {
    for (int i = 0; i < key.length; i++) {
      if (pair.getFuzzyMask()[i] == 0 && pair.getRowKey()[i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private static List<FuzzyFilterPair> filters(ByteMap<byte[][]> literals, byte[] key)
      throws ReflectiveOperationException {
    Method build =
        QueryUtil.class.getDeclaredMethod("buildFuzzyFilters", ByteMap.class, byte[].class);
    build.setAccessible(true);
    return (List<FuzzyFilterPair>) build.invoke(null, literals, key);
  }
}
