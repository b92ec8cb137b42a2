package io.packhorse.schema.cell;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import java.util.HexFormat;
import net.opentsdb.core.Internal;
import org.junit.jupiter.api.Test;

class QualifierTest {
  private static final int[] INTEGER_LENGTHS = {1, 2, 4, 8};
  private static final long BASE_TIME = 1_356_998_400L;

  private static Qualifier parse(String hex) throws MalformedCellException {
    return Qualifier.parse(HexFormat.of().parseHex(hex), 0);
  }

  private static void rejects(String words, String hex) {
    MalformedCellException thrown =
        assertThrows(MalformedCellException.class, () -> parse(hex), hex);
    assertTrue(String.valueOf(thrown.getMessage()).contains(words), thrown.getMessage());
  }

  private static void checkAgainstOpenTsdb(Qualifier qualifier) throws MalformedCellException {
    long timestamp =
        qualifier.inMillis()
            ? BASE_TIME * 1000 + qualifier.offsetMs()
            : BASE_TIME + qualifier.offsetMs() / 1000;
    byte[] bytes = qualifier.toBytes();
    assertArrayEquals(
        Internal.buildQualifier(timestamp, (short) qualifier.flags()), bytes, qualifier::toString);
    assertEquals(qualifier.length(), bytes.length);
    assertEquals(qualifier.offsetMs(), Internal.getOffsetFromQualifier(bytes));
    assertEquals(qualifier.valueLength(), Internal.getValueLengthFromQualifier(bytes));
    assertEquals(qualifier.isFloat(), Internal.isFloat(bytes));
    assertEquals(qualifier.inMillis(), Internal.inMilliseconds(bytes));
    assertEquals(qualifier, Qualifier.parse(bytes, 0));
  }

  @Test
  void writesTheBytesOfOpenTsdb() throws MalformedCellException {
    for (int second = 0; second < 3600; second++) {
      for (int length : INTEGER_LENGTHS) {
        checkAgainstOpenTsdb(new Qualifier(second * 1000, false, false, length));
        checkAgainstOpenTsdb(new Qualifier(second * 1000, false, true, Math.max(4, length)));
      }
    }
    for (int offset = 0; offset < PointBlock.HOUR_MS; offset += 997) {
      for (int length : INTEGER_LENGTHS) {
        checkAgainstOpenTsdb(new Qualifier(offset, true, false, length));
        checkAgainstOpenTsdb(new Qualifier(offset, true, true, Math.max(4, length)));
      }
    }
    checkAgainstOpenTsdb(new Qualifier(PointBlock.HOUR_MS - 1, true, true, 8));
  }

  @Test
  void readsEachShortFormAsOpenTsdbDoes() {
    byte[] bytes = new byte[2];
    int lawful = 0;
    for (int word = 0; word < 0xf000; word++) {
      bytes[0] = (byte) (word >>> 8);
      bytes[1] = (byte) word;
      try {
        Qualifier qualifier = Qualifier.parse(bytes, 0);
        lawful++;
        assertEquals(Internal.getOffsetFromQualifier(bytes), qualifier.offsetMs());
        assertEquals(Internal.getFlagsFromQualifier(bytes), qualifier.flags());
      } catch (MalformedCellException e) {
        int flags = word & 15;
        assertTrue(
            word >>> 4 >= 3600 || "013 7b f".indexOf(Integer.toHexString(flags)) < 0,
            "word=" + word);
      }
    }
    assertEquals(3600 * 6, lawful);
  }

  @Test
  void readsInTheMiddleOfARun() throws MalformedCellException {
    byte[] run = HexFormat.of().parseHex("0010" + "f000fa4b" + "0027");
    assertEquals(new Qualifier(1000, false, false, 1), Qualifier.parse(run, 0));
    assertEquals(new Qualifier(1001, true, true, 4), Qualifier.parse(run, 2));
    assertEquals(new Qualifier(2000, false, false, 8), Qualifier.parse(run, 6));
  }

  @Test
  void ignoresTheSpareBits() throws MalformedCellException {
    assertEquals(new Qualifier(1001, true, true, 4), parse("f000fa7b"));
  }

  @Test
  void rejectsBytesThatAreNoQualifier() {
    rejects("expected=2, found=0", "");
    rejects("expected=2, found=1", "00");
    rejects("expected=4, found=1", "f0");
    rejects("expected=4, found=3", "f00000");
    rejects("offset=3600000 ms", "e100");
    rejects("offset=3839000 ms", "eff0");
    rejects("offset=3600000 ms", "fdbba000");
    rejects("offset=4194303 ms", "ffffffc0");
    rejects("flags=0x2", "0002");
    rejects("flags=0x6", "0006");
    rejects("flags=0x8", "0008");
    rejects("flags=0x9", "f0000009");
    rejects("flags=0xe", "f000000e");
  }

  @Test
  void rejectsPointsThatHaveNoQualifier() {
    assertThrows(IllegalArgumentException.class, () -> new Qualifier(-1, true, false, 1));
    assertThrows(
        IllegalArgumentException.class, () -> new Qualifier(PointBlock.HOUR_MS, true, false, 1));
    assertThrows(IllegalArgumentException.class, () -> new Qualifier(1, false, false, 1));
    assertThrows(IllegalArgumentException.class, () -> new Qualifier(0, false, false, 0));
    assertThrows(IllegalArgumentException.class, () -> new Qualifier(0, false, false, 3));
    assertThrows(IllegalArgumentException.class, () -> new Qualifier(0, false, false, 9));
    assertThrows(IllegalArgumentException.class, () -> new Qualifier(0, false, true, 2));
  }
}
