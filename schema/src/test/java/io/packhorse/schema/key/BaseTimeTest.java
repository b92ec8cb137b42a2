package io.packhorse.schema.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.opentsdb.core.Internal;
import org.junit.jupiter.api.Test;

class BaseTimeTest {
  @Test
  void takesTimestampsBeyond32BitsForMilliseconds() {
    assertFalse(BaseTime.isMillis(0xffff_ffffL));
    assertTrue(BaseTime.isMillis(0x1_0000_0000L));
    assertEquals(4_294_967_295_000L, BaseTime.toMillis(4_294_967_295L));
    assertEquals(4_294_967_296L, BaseTime.toMillis(4_294_967_296L));
    assertEquals(1_356_998_400_123L, BaseTime.toMillis(1_356_998_400_123L));
    assertEquals(1000, BaseTime.toMillis(1));
    assertEquals(4_294_967_295_999L, BaseTime.toMillis(4_294_967_295_999L));
  }

  @Test
  void rejectsTimestampsThatARowKeyCannotHold() {
    assertThrows(IllegalArgumentException.class, () -> BaseTime.toMillis(0));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.toMillis(-5));
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> BaseTime.toMillis(4_294_967_296_000L));
    assertEquals(
        "timestamp must be 1 to 4294967295 s or up to 4294967295999 ms: timestamp=4294967296000",
        thrown.getMessage());
  }

  @Test
  void findsTheHourThatOpenTsdbFinds() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      long seconds = random.nextLong() & 0xffff_ffffL;
      long ms = seconds * 1000 + random.nextInt(1000);
      assertEquals(Internal.baseTime(seconds), BaseTime.ofSeconds(seconds));
      assertEquals(BaseTime.ofSeconds(seconds), BaseTime.ofMillis(ms));
      long imported = random.nextBoolean() ? Math.max(1, seconds) : ms;
      assertEquals(
          Internal.baseTime(imported), BaseTime.ofMillis(BaseTime.toMillis(imported)), "" + ms);
    }
  }

  @Test
  void coversAllThatItsFourBytesHold() {
    assertEquals(0, BaseTime.ofSeconds(0));
    assertEquals(0, BaseTime.ofMillis(3_599_999));
    assertEquals(3600, BaseTime.ofMillis(3_600_000));
    assertEquals(BaseTime.MAX_SECONDS, BaseTime.ofSeconds(0xffff_ffffL));
    assertEquals(BaseTime.MAX_SECONDS, BaseTime.ofMillis(BaseTime.MAX_MS));
    assertEquals(4_294_965_600L, BaseTime.MAX_SECONDS);
    assertThrows(IllegalArgumentException.class, () -> BaseTime.ofSeconds(-1));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.ofSeconds(0x1_0000_0000L));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.ofMillis(-1));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.ofMillis(BaseTime.MAX_MS + 1));
  }

  @Test
  void checksThatABaseTimeIsAnHour() {
    assertEquals(0, BaseTime.check(0));
    assertEquals(BaseTime.MAX_SECONDS, BaseTime.check(BaseTime.MAX_SECONDS));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.check(1800));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.check(-3600));
    assertThrows(IllegalArgumentException.class, () -> BaseTime.check(BaseTime.MAX_SECONDS + 3600));
  }
}
