package io.packhorse.loader.resolve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UidAssignerTest {
  private static final UidKind KIND = UidKind.TAGV;

  /** Rows of one kind; dies in the middle of a call when its steps are used up. */
  private static final class MortalTable implements UidTable {
    private final Map<Long, String> names = new HashMap<>();
    private final Map<String, Long> uids = new HashMap<>();
    private long counter;
    private int stepsLeft = Integer.MAX_VALUE;
    private Runnable beforeUids = () -> {};

    private void step() throws IOException {
      if (--stepsLeft < 0) {
        throw new IOException("died");
      }
    }

    @Override
    public long[] find(UidKind kind, List<String> wanted) {
      return wanted.stream().mapToLong(name -> uids.getOrDefault(name, NONE)).toArray();
    }

    @Override
    public long lastReserved(UidKind kind) {
      return counter;
    }

    @Override
    public long reserve(UidKind kind, int count) throws IOException {
      step();
      return counter += count;
    }

    @Override
    public boolean[] putNames(UidKind kind, long[] at, List<String> values) throws IOException {
      boolean[] written = new boolean[values.size()];
      for (int i = 0; i < written.length; i++) {
        step();
        written[i] = names.putIfAbsent(at[i], values.get(i)) == null;
      }
      return written;
    }

    @Override
    public boolean[] putUids(UidKind kind, List<String> at, long[] values) throws IOException {
      beforeUids.run();
      boolean[] written = new boolean[at.size()];
      for (int i = 0; i < written.length; i++) {
        step();
        written[i] = uids.putIfAbsent(at.get(i), values[i]) == null;
      }
      return written;
    }

    void check() {
      uids.forEach((name, uid) -> assertEquals(name, names.get(uid), "name of UID " + uid));
      assertEquals(uids.size(), new HashSet<>(uids.values()).size(), "a UID has one name");
    }
  }

  private final MortalTable table = new MortalTable();
  private final UidAssigner assigner = new UidAssigner(table, UidWidths.DEFAULT, Long.MAX_VALUE);

  @Test
  void newNamesTakeOneBlockAndKeepTheirUids() throws IOException {
    assertArrayEquals(new long[] {1, 2, 1}, assigner.findOrAssign(KIND, List.of("a", "b", "a")));
    assertArrayEquals(
        new long[] {3, 2, 4, 1}, assigner.findOrAssign(KIND, List.of("c", "b", "d", "a")));
    assertEquals(4, table.counter);
    table.check();
  }

  @Test
  void aTakenUidIsSkipped() throws IOException {
    table.names.put(2L, "random");
    table.uids.put("random", 2L);
    assertArrayEquals(new long[] {1, 4, 3}, assigner.findOrAssign(KIND, List.of("a", "b", "c")));
    assertEquals("random", table.names.get(2L));
    table.check();
  }

  @Test
  void whoWasFasterWithANameHasIt() throws IOException {
    table.beforeUids =
        () -> {
          table.names.put(77L, "b");
          table.uids.put("b", 77L);
        };
    assertArrayEquals(new long[] {1, 77, 3}, assigner.findOrAssign(KIND, List.of("a", "b", "c")));
    table.check();
  }

  @Test
  void aBlockBeyondTheLastUidIsRefusedBeforeAnythingIsWritten() throws IOException {
    UidAssigner narrow = new UidAssigner(table, new UidWidths(3, 3, 1), Long.MAX_VALUE);
    table.counter = 250;
    IOException refused =
        assertThrows(IOException.class, () -> narrow.findOrAssign(KIND, names(6)));
    assertEquals(
        "not enough UIDs left for tagv: needed=6, used=250, max=255, width=1",
        refused.getMessage());
    assertEquals(250, table.counter);
    assertTrue(table.names.isEmpty() && table.uids.isEmpty());
    assertArrayEquals(new long[] {251, 252, 253, 254, 255}, narrow.findOrAssign(KIND, names(5)));
  }

  @Test
  void newNamesAboveTheLimitAreRefusedAndKnownOnesAreNot() throws IOException {
    assigner.findOrAssign(KIND, List.of("known"));
    UidAssigner limited = new UidAssigner(table, UidWidths.DEFAULT, 3);
    assertArrayEquals(
        new long[] {1, 2, 3, 2}, limited.findOrAssign(KIND, List.of("known", "a", "b", "a")));
    IOException refused =
        assertThrows(
            NewNamesException.class,
            () -> limited.findOrAssign(KIND, List.of("known", "c", "d", "e", "f")));
    assertEquals(
        "more than 3 new names need a UID, the limit of --max-new-names; the next tagv names: 'c',"
            + " 'd', 'e' and others",
        refused.getMessage());
    assertEquals(3, table.counter, "no UID was spent");
    table.check();
  }

  @Test
  void deathAtAnyStepLeavesNoNameWhoseUidHasNoName() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    for (int death = 0; death < 60; death++) {
      List<String> wanted = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        wanted.add("n" + random.nextInt(5 * (death + 1)));
      }
      table.stepsLeft = death % 24;
      try {
        assertEquals(10, assigner.findOrAssign(KIND, wanted).length);
      } catch (IOException died) {
        assertEquals("died", died.getMessage());
      }
      table.check();
      table.stepsLeft = Integer.MAX_VALUE;
      long[] again = assigner.findOrAssign(KIND, wanted);
      for (int i = 0; i < again.length; i++) {
        assertEquals(wanted.get(i), table.names.get(again[i]));
      }
      table.check();
    }
  }

  @Test
  void manyNamesTakeManyBlocks() throws IOException {
    long[] uids = assigner.findOrAssign(KIND, names(10_000));
    assertEquals(10_000, table.counter);
    assertEquals(10_000, uids[9_999]);
    table.check();
  }

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("name" + i);
    }
    return names;
  }
}
