package net.opentsdb.uid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class UidCreationTest {
  private final UidCreation creation = new UidCreation();

  private int createdAt(long nanos) {
    int created = 0;
    while (true) {
      try {
        creation.check(10, 90, nanos, "tagv", "name");
        created++;
      } catch (FailedToAssignUniqueIdException e) {
        assertTrue(e.getMessage().contains(UidCreation.RATE), e.getMessage());
        return created;
      }
    }
  }

  @Test
  void allowsABurstAndThenTheRate() {
    assertEquals(10_000, createdAt(5));
    assertEquals(0, createdAt(5));
    assertEquals(10, createdAt(1_000_000_005));
    assertEquals(600, createdAt(61_000_000_005L));
    assertEquals(10_000, createdAt(90_000_000_000_005L));
  }

  @Test
  void stopsAtAShareOfAllUids() {
    long all = 1L << 24;
    creation.created(all / 100 * 90, 3);
    creation.check(0, 90, 0, "tagv", "name");
    creation.created(all / 100 * 90 + 100, 3);
    FailedToAssignUniqueIdException e =
        assertThrows(
            FailedToAssignUniqueIdException.class, () -> creation.check(0, 90, 0, "tagv", "name"));
    assertTrue(e.getMessage().contains(UidCreation.SHARE), e.getMessage());
    creation.check(0, 100, 0, "tagv", "name");
  }

  @Test
  void zeroIsNoLimit() {
    for (int i = 0; i < 200_000; i++) {
      creation.check(0, 90, 0, "tagv", "name");
    }
  }
}
