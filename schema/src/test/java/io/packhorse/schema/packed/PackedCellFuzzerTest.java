package io.packhorse.schema.packed;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fuzzer's entry on the vectors and on bytes drawn at random. */
class PackedCellFuzzerTest {
  @Test
  @Tag("exhaustive")
  void acceptsEveryVectorAndItsDamage() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    for (String folder : new String[] {"valid", "malformed"}) {
      for (Vector vector : Vector.all(folder)) {
        PackedCellFuzzer.fuzzerTestOneInput(vector.cell());
        for (int i = 0; i < 40 && vector.cell().length > 0; i++) {
          byte[] damaged = vector.cell().clone();
          for (int n = random.nextInt(1, 4); n > 0; n--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
          }
          PackedCellFuzzer.fuzzerTestOneInput(damaged);
        }
      }
    }
  }
}
