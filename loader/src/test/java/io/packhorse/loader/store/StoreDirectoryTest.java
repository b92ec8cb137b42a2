package io.packhorse.loader.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreDirectoryTest {
  @TempDir private Path temp = Path.of("");

  @Test
  void makesAStoreOfAMissingDirectoryAndOpensItAgain() throws Exception {
    Path path = temp.resolve("a").resolve("store");
    assertFalse(StoreDirectory.isStore(path));
    StoreDirectory made = StoreDirectory.open(path);
    assertTrue(StoreDirectory.isStore(path));
    assertEquals(made, StoreDirectory.open(path));
    assertEquals(0, made.hbaseBytes());
  }

  @Test
  void makesAStoreOfAnEmptyDirectory() throws Exception {
    StoreDirectory.open(temp);
    assertTrue(StoreDirectory.isStore(temp));
  }

  @Test
  void manyThatOpenANewStoreAtOnceAllGetIt() throws Exception {
    for (int attempt = 0; attempt < 50; attempt++) {
      Path path = temp.resolve("store" + attempt);
      CyclicBarrier together = new CyclicBarrier(4);
      List<String> failures = Collections.synchronizedList(new ArrayList<>());
      List<Thread> commands = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        commands.add(
            new Thread(
                () -> {
                  try {
                    together.await();
                    StoreDirectory.open(path);
                  } catch (Exception e) {
                    failures.add(e.toString());
                  }
                }));
      }
      commands.forEach(Thread::start);
      for (Thread command : commands) {
        command.join();
      }
      assertEquals(List.of(), failures);
      try (Stream<Path> entries = Files.list(path)) {
        assertEquals(3, entries.count(), "marker, run and log");
      }
    }
  }

  @Test
  void refusesAStoreThatItMayNotStart() throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    // As unwritable as a file of another user, for root too.
    Files.createDirectory(temp.resolve("run").resolve("command.lock"));
    StoreException refused =
        assertThrows(StoreException.class, () -> store.withCommandLock(Duration.ZERO, () -> 1));
    assertEquals(StoreException.Kind.REFUSED, refused.kind());
    assertTrue(String.valueOf(refused.getMessage()).contains("cannot write"));
  }

  @Test
  void refusesADirectoryWithOtherThings() throws Exception {
    Files.writeString(temp.resolve("thesis.tex"), "precious");
    assertRefused("is not empty and not a Packhorse store");
  }

  @Test
  void refusesAPathThatHBaseWouldTakeForAFormat() {
    Path path = temp.resolve("90%d");
    assertThrows(StoreException.class, () -> StoreDirectory.open(path));
    assertFalse(Files.exists(path));
  }

  @Test
  void refusesAFile() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");
    StoreException e = assertThrows(StoreException.class, () -> StoreDirectory.open(file));
    assertTrue(e.toString().contains("is a file"), e.getMessage());
  }

  @Test
  void refusesANewerLayoutAndNamesBothNumbers() throws Exception {
    Files.writeString(temp.resolve("store.properties"), "layout=2\n");
    assertRefused("has store layout 2, this Packhorse reads layout 1; use the newer");
  }

  @Test
  void refusesAnOlderOrUnreadableLayout() throws Exception {
    Files.writeString(temp.resolve("store.properties"), "layout=0\n");
    assertRefused("has store layout 0, this Packhorse reads layout 1; load again");
    Files.writeString(temp.resolve("store.properties"), "layout=one\n");
    assertRefused("has store layout one");
  }

  @Test
  void refusesADiskThatIsAlmostFull() throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    store.checkFreeSpace(StoreDirectory.FREE_BYTES_MIN);
    StoreException e =
        assertThrows(
            StoreException.class, () -> store.checkFreeSpace(StoreDirectory.FREE_BYTES_MIN - 1));
    assertEquals(StoreException.Kind.REFUSED, e.kind());
    assertTrue(e.toString().contains("only 999 MB are free for " + temp), e.getMessage());
  }

  @Test
  void addsUpTheSizesOfHBasesFiles() throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    Path deep = Files.createDirectories(store.hbase().resolve("data").resolve("default"));
    Files.write(deep.resolve("one"), new byte[300]);
    Files.write(store.hbase().resolve("two"), new byte[4000]);
    assertEquals(4300, store.hbaseBytes());
    assertTrue(store.freeBytes() > 0);
  }

  @Test
  void letsOneCommandAtATimeStartOrStopServers() throws Exception {
    StoreDirectory store = StoreDirectory.open(temp);
    String result =
        store.withCommandLock(
            Duration.ZERO,
            () -> {
              StoreException e =
                  assertThrows(
                      StoreException.class,
                      () -> store.withCommandLock(Duration.ZERO, () -> "never"));
              assertTrue(e.toString().contains("another packhorse command"), e.getMessage());
              return "first";
            });
    assertEquals("first", result);
    assertEquals("second", store.withCommandLock(Duration.ZERO, () -> "second"));
  }

  private void assertRefused(String part) {
    StoreException e = assertThrows(StoreException.class, () -> StoreDirectory.open(temp));
    assertEquals(StoreException.Kind.REFUSED, e.kind());
    assertTrue(e.toString().contains(temp + " "), e.getMessage());
    assertTrue(e.toString().contains(part), e.getMessage());
  }
}
