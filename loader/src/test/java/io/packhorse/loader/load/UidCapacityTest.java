package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    assertEquals("", said(0));
    assertEquals("", said(13_421_771));
    assertTrue(said(13_421_772).contains("13,421,772 of 16,777,215 UIDs for tagv are used (80%)"));
    assertTrue(said(16_777_215).contains("(100%)"));
  }

  private static String said(long tagValues) throws IOException {
    return String.join(
        "\n", new UidCapacity(new Counters(tagValues), UidWidths.DEFAULT).warnings());
  }
}
