package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StoredPointsTest {
  private static final StoredPoints STORED = new StoredPoints(100, 20, 2, 3);

  @Test
  void pointsThatTheCellsRepeatWereCountedTwice() {
    assertEquals(new Repeats(15, true, Optional.empty()), STORED.repeats(115));
    assertEquals(Repeats.NONE, STORED.repeats(100));
    assertEquals(Repeats.NONE, STORED.repeats(90));
  }

  @Test
  void pointsThatNoCellHasAreLostAndNotReplaced() {
    assertEquals(new Repeats(20, false, Optional.empty()), STORED.repeats(130));
    assertEquals(
        new Repeats(0, false, Optional.empty()), new StoredPoints(100, 0, 2, 2).repeats(130));
  }
}
