package io.packhorse.loader.receive.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentLogTest {
  private static final long ROOM = 1 << 20;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void givesBackWhatWasAppendedAcrossSegments() throws Exception {
    List<String> all = new ArrayList<>();
    long third = 0;
    for (int i = 0; i < 20; i++) {
      try (SegmentLog log = SegmentLog.open(folder, 100, ROOM)) {
        assertEquals(0, log.tornBytes());
        all.add("put record " + i);
        long end = append(log, all.get(i));
        third = i == 2 ? end : third;
        assertEquals(all, replay(log, 0));
      }
    }
    append("");
    all.add("");
    try (SegmentLog log = SegmentLog.open(folder, 100, ROOM)) {
      assertTrue(segments().size() > 3);
      assertEquals(all.subList(3, 21), replay(log, third));
    }
  }

  @Test
  void forceCoversWhatWasAppended() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 100, ROOM)) {
      for (int i = 0; i < 10; i++) {
        long end = append(log, "record");
        assertThrows(IllegalArgumentException.class, () -> log.free(end));
        assertEquals(end, log.force());
        assertEquals(end, log.force());
        log.free(end);
      }
      assertEquals(1, segments().size());
    }
  }

  @Test
  void aLogWithoutRoomTakesNothingUntilSegmentsAreFreed() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 100, 250)) {
      long end = 0;
      int taken = 0;
      for (long next; (next = log.append(bytes("12345678")).orElse(-1)) >= 0; end = next) {
        taken++;
        assertTrue(log.bytes() <= 250);
      }
      assertEquals(taken, replay(log, 0).size());
      log.force();
      log.free(end);
      append(log, "room again");
      assertEquals(List.of("room again"), replay(log, end));
      assertThrows(DamagedLogException.class, () -> replay(log, 0));
      assertThrows(DamagedLogException.class, () -> replay(log, 1000));
    }
  }

  @Test
  void takesAsMuchAsItsLimitSays() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 100, ROOM)) {
      append(log, "record");
      log.limit(log.bytes());
      assertTrue(log.append(bytes("")).isEmpty());
      log.limit(-1);
      assertTrue(log.append(bytes("")).isEmpty());
      log.limit(ROOM);
      append(log, "another");
      assertEquals(List.of("record", "another"), replay(log, 0));
    }
  }

  @Test
  void readsOnWhileRecordsAreAppended() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 100, ROOM);
        LogReader reader = log.reader(0)) {
      for (int i = 0; i < 50; i++) {
        append(log, "record " + i);
        assertNull(reader.next(), "not on disk yet");
        long end = log.force();
        assertEquals("record " + i, new String(reader.next(), StandardCharsets.UTF_8));
        assertEquals(end, reader.position());
        assertNull(reader.next());
      }
      assertTrue(segments().size() > 10);
    }
  }

  /** However much of the last record is on disk, and of the header of a segment just begun. */
  @Test
  void cutsATornTailOfAnyLength() throws Exception {
    append("first");
    byte[] before = Files.readAllBytes(segments().get(0));
    append("second");
    Path segment = segments().get(0);
    byte[] whole = Files.readAllBytes(segment);
    for (int length = 0; length < whole.length; length++) {
      Files.write(segment, Arrays.copyOf(whole, length));
      int kept = length < before.length ? (length < 16 ? 0 : 16) : before.length;
      try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
        assertEquals(length - kept, log.tornBytes());
        List<String> expected = length < before.length ? List.of() : List.of("first");
        assertEquals(expected, replay(log, 0));
        append(log, "after");
      }
      try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
        assertEquals(0, log.tornBytes());
        assertEquals(length < before.length ? 1 : 2, replay(log, 0).size());
      }
    }
  }

  /** Blocks that were never forced reach the disk in any order. */
  @Test
  void aHoleBeforeRecordsThatWereNeverForcedIsATornTail() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
      append(log, "forced");
      log.force();
      append(log, "hole");
      append(log, "reached the disk");
    }
    flip(segments().get(0), 16 + 24 + 6 + 24);
    try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
      assertEquals(24 + 4 + 24 + 16, log.tornBytes());
      assertEquals(List.of("forced"), replay(log, 0));
    }
  }

  /** The only proof, the header of the last record, lies across two chunks of the search. */
  @Test
  void aDamagedRecordThatWasForcedIsRefusedAtEachByte() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 4 << 20, 64 << 20)) {
      append(log, "forced");
      append(log, "x".repeat((1 << 20) - 63));
      log.force();
      append(log, "last");
    }
    Path segment = segments().get(0);
    byte[] whole = Files.readAllBytes(segment);
    for (int at = 0; at < 16 + 24 + 6; at++) {
      flip(segment, at);
      IOException e =
          assertThrows(DamagedLogException.class, () -> SegmentLog.open(folder, 4 << 20, 64 << 20));
      assertTrue(e.toString().contains("is damaged: "), e.toString());
      flip(segment, at);
    }
    assertEquals(whole.length, Files.size(segment), "a refused log is left as it is");
    SegmentLog.open(folder, 4 << 20, 64 << 20).close();
  }

  @Test
  void damageInASegmentThatAnotherFollowsIsRefused() throws Exception {
    try (SegmentLog log = SegmentLog.open(folder, 100, ROOM)) {
      while (segments().size() < 3) {
        append(log, "a record");
      }
    }
    Path first = segments().get(0);
    byte[] whole = Files.readAllBytes(first);
    for (int at = 16; at < whole.length; at++) {
      flip(first, at);
      try (SegmentLog log = SegmentLog.open(folder, 100, ROOM)) {
        assertThrows(DamagedLogException.class, () -> replay(log, 0));
      }
      flip(first, at);
    }
    Files.write(first, Arrays.copyOf(whole, whole.length - 1));
    assertThrows(DamagedLogException.class, () -> SegmentLog.open(folder, 100, ROOM));
    Files.write(first, whole);
    Files.delete(segments().get(1));
    assertThrows(DamagedLogException.class, () -> SegmentLog.open(folder, 100, ROOM));
  }

  /** What a client sends can look like records; a hole in it is a torn tail all the same. */
  @Test
  void aPayloadThatLooksLikeRecordsProvesNothing() throws Exception {
    append("first");
    byte[] copy = Files.readAllBytes(segments().get(0));
    try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
      log.append(copy);
    }
    flip(segments().get(0), copy.length + 4);
    try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
      assertEquals(24 + copy.length, log.tornBytes());
      assertEquals(List.of("first"), replay(log, 0));
    }
  }

  @Test
  void aForeignFileIsRefused() throws Exception {
    append("first");
    Files.writeString(folder.resolve("notes.txt"), "mine");
    IOException e =
        assertThrows(DamagedLogException.class, () -> SegmentLog.open(folder, 1000, ROOM));
    assertTrue(e.toString().contains("notes.txt"), e.toString());
  }

  @Test
  void manyThreadsAppendAndForce() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    try (SegmentLog log = SegmentLog.open(folder, 2000, ROOM)) {
      for (int t = 0; t < 4; t++) {
        String name = "thread " + t + " ";
        Thread thread =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < 200; i++) {
                      long end = append(log, name + i);
                      assertFalse(log.force() < end);
                    }
                  } catch (IOException | RuntimeException | Error e) {
                    failures.add(e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), failures);
    }
    try (SegmentLog log = SegmentLog.open(folder, 2000, ROOM)) {
      List<String> all = replay(log, 0);
      assertEquals(800, all.size());
      for (int t = 0; t < 4; t++) {
        String name = "thread " + t + " ";
        assertEquals(
            Stream.iterate(0, i -> i + 1).limit(200).map(i -> name + i).toList(),
            all.stream().filter(record -> record.startsWith(name)).toList());
      }
    }
  }

  private void append(String record) throws IOException {
    try (SegmentLog log = SegmentLog.open(folder, 1000, ROOM)) {
      append(log, record);
    }
  }

  private static long append(SegmentLog log, String record) throws IOException {
    return log.append(bytes(record)).orElseThrow();
  }

  private static byte[] bytes(String record) {
    return record.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> replay(SegmentLog log, long from) throws IOException {
    List<String> records = new ArrayList<>();
    log.force();
    try (LogReader reader = log.reader(from)) {
      for (byte[] next = reader.next(); next != null; next = reader.next()) {
        records.add(new String(next, StandardCharsets.UTF_8));
      }
      assertTrue(records.isEmpty() || log.end() == reader.position());
    }
    return records;
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }
}
