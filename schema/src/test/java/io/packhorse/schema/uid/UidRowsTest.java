package io.packhorse.schema.uid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.schema.bytes.MalformedCellException;
import java.util.Random;
import net.opentsdb.core.Internal;
import net.opentsdb.uid.UniqueId;
import org.junit.jupiter.api.Test;

class UidRowsTest {
  @Test
  void storesNamesOneByteACharacter() {
    assertArrayEquals(new byte[] {'c', 'p', 'u', (byte) 0xe9}, UidRows.nameBytes("cpu\u00e9"));
    StringBuilder all = new StringBuilder();
    for (char c = 0; c <= 0xff; c++) {
      all.append(c);
    }
    assertEquals(all.toString(), UidRows.name(UidRows.nameBytes(all.toString())));
  }

  @Test
  void rejectsNamesThatTheTableCannotHold() {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> UidRows.nameBytes("t\u00e9mp.\u0141"));
    assertEquals(
        "name must be in ISO-8859-1, the charset of the UID table: name=t\u00e9mp.\u0141, index=5,"
            + " character=U+0141",
        thrown.getMessage());
    assertThrows(IllegalArgumentException.class, () -> UidRows.nameBytes(""));
    assertThrows(IllegalArgumentException.class, () -> UidRows.nameBytes("\0"));
    assertThrows(IllegalArgumentException.class, () -> UidRows.nameBytes("a".repeat(32768)));
    assertEquals(32767, UidRows.nameBytes("a".repeat(32767)).length);
    assertEquals(2, UidRows.nameBytes("\0a").length);
    assertEquals(1, UidRows.nameBytes("a").length);
  }

  @Test
  void keepsItsCountersInTheRowZero() {
    assertArrayEquals(new byte[] {0}, UidRows.counterRow());
    assertEquals("id", UidRows.ID_FAMILY);
    assertEquals("name", UidRows.NAME_FAMILY);
  }

  @Test
  void encodesUidsAsOpenTsdbDoes() throws MalformedCellException {
    Random random = new Random(11);
    for (int width = 1; width <= 8; width++) {
      assertEquals(Internal.getMaxUnsignedValueOnBytes(width), UidRows.maxUid(width));
      for (int i = 0; i < 1000; i++) {
        long uid = (random.nextLong() & UidRows.maxUid(width)) >>> random.nextInt(8 * width - 1);
        uid = i == 0 ? UidRows.maxUid(width) : Math.max(1, uid);
        byte[] bytes = UidRows.encode(uid, width);
        assertArrayEquals(UniqueId.longToUID(uid, (short) width), bytes, "uid=" + uid);
        assertEquals(uid, UidRows.decode(bytes, width));
        assertEquals(uid, UniqueId.uidToLong(bytes, (short) width));
      }
    }
  }

  @Test
  void rejectsUidsThatDoNotFit() {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> UidRows.encode(0x100_0000, 3));
    assertEquals("UID must be 1 to 16777215 on 3 bytes: uid=16777216", thrown.getMessage());
    assertThrows(IllegalArgumentException.class, () -> UidRows.encode(0, 3));
    assertThrows(IllegalArgumentException.class, () -> UidRows.encode(-1, 8));
    assertThrows(IllegalArgumentException.class, () -> UidRows.encode(1, 0));
    assertThrows(IllegalArgumentException.class, () -> UidRows.encode(1, 9));
  }

  @Test
  void rejectsStoredUidsOfAnotherWidth() {
    MalformedCellException thrown =
        assertThrows(
            MalformedCellException.class, () -> UidRows.decode(new byte[] {0, 0, 0, 1}, 3));
    assertEquals(
        "UID must have the width of its kind: expected=3, found=4, offset=0", thrown.getMessage());
    assertThrows(MalformedCellException.class, () -> UidRows.decode(new byte[3], 3));
    byte[] negative = {-1, 0, 0, 0, 0, 0, 0, 0};
    assertThrows(MalformedCellException.class, () -> UidRows.decode(negative, 8));
  }
}
