package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.resolve.UidTable;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class UidCapacityTest {
  /** A table whose counter of tag values is somewhere, and the others at their beginning. */
  private record Counters(long tagValues) implements UidTable {
    @Override
    public long lastReserved(UidKind kind) {
      return kind == UidKind.TAGV ? tagValues : 0;
    }

    @Override
    public long[] find(UidKind kind, List<String> names) {
      throw new AssertionError();
    }

    @Override
    public long reserve(UidKind kind, int count) {
      throw new AssertionError();
    }

    @Override
    public boolean[] putNames(UidKind kind, long[] uids, List<String> names) {
      throw new AssertionError();
    }

    @Override
    public boolean[] putUids(UidKind kind, List<String> names, long[] uids) {
      throw new AssertionError();
    }
  }

  @Test
  void warnsFromFourFifthsOn() throws Exception {
    assertEquals(Verdict.OK, tagValues(0).verdict());
    assertEquals(Verdict.OK, tagValues(13_421_771).verdict());
    Finding most = tagValues(13_421_772);
    assertEquals(Verdict.WARN, most.verdict());
    assertEquals(
        "13,421,772 of 16,777,215 UIDs for tagv names are used (80 %), 3,355,443 new ones can still"
            + " be loaded",
        most.found());
    assertTrue(tagValues(16_777_215).found().contains("(100 %), 0 new ones"));
  }

  private static Finding tagValues(long used) throws IOException {
    List<Finding> findings =
        new UidCapacity(new Counters(used), "tsdb-uid", UidWidths.DEFAULT).findings();
    assertEquals(3, findings.size());
    return findings.get(2);
  }
}
