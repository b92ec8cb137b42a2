package io.packhorse.loader.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.receive.Intake.Taken;
import io.packhorse.loader.receive.RefusedBodyException.Why;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.openmetrics.RemoteWriteBytes;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class IntakeTest {
  private static final long NOW_MS = 1_704_067_200_000L;
  private static final long AHEAD_MS = 3_600_000;
  private static final SourceSpec SPEC =
      new SourceSpec(
          Optional.empty(),
          Optional.empty(),
          SeriesRules.NONE,
          TableOptions.NONE,
          new FieldRules(true, true));

  @TempDir private Path folder = Path.of("");

  @Test
  void pointsOfBodiesComeOutInTheirOrder() throws Exception {
    try (Intake intake = intake(1 << 20)) {
      SeriesNames names = new SeriesNames();
      Rejects rejects = Rejects.counted();
      try (LogSource source = intake.source(names, 0, rejects)) {
        take(intake, BodyFormat.LINES_S, "m,h=a v=1i 1704067200\nm,h=a v=2i 1704067201");
        take(intake, BodyFormat.PUT_LINES, "put m.v 1704067202 3 h=a\n");
        take(
            intake,
            BodyFormat.PUT_JSON,
            "[{\"metric\":\"m.v\",\"timestamp\":1704067203000,\"value\":\"4\",\"tags\":{\"h\":\"a\"}}]");
        intake.end();
        assertEquals(
            List.of("m.v h=a 0 1", "m.v h=a 1 2", "m.v h=a 2 3", "m.v h=a 3 4"),
            all(source, names));
        assertEquals(0, rejects.total());
      }
    }
  }

  @Test
  void aLogThatNothingWasWrittenToEnds() throws Exception {
    try (Intake intake = intake(1 << 20);
        LogSource source = intake.source(new SeriesNames(), 0, Rejects.counted())) {
      intake.end();
      assertEquals(List.of(), all(source, new SeriesNames()));
    }
  }

  @Test
  void aLineWithoutATimeHasThatOfItsArrivalAlsoWhenItIsReadAgain() throws Exception {
    long position;
    try (Intake intake = intake(1 << 20)) {
      SeriesNames names = new SeriesNames();
      try (LogSource source = intake.source(names, 0, Rejects.counted())) {
        intake.take(body(BodyFormat.LINES_NS, NOW_MS + 7000, "m,h=a v=1i"));
        assertEquals(List.of("m.v h=a 7 1"), some(source, names, 1));
        position = source.position().orElseThrow().offset();
      }
      assertTrue(position > 0);
    }
    assertEquals(List.of("m.v h=a 7 1"), rest(0));
    assertEquals(List.of(), rest(position));
  }

  /** More points than wait in memory: the source reads what is missing from the log. */
  @Test
  void whatMemoryHasNoRoomForComesFromTheLogInOrder() throws Exception {
    for (int room : new int[] {1, 10, 1000, 1 << 20}) {
      Path log = folder.resolve("log" + room);
      try (Intake intake = new Intake(SegmentLog.open(log, 2000, 1 << 24), SPEC, limits(room))) {
        SeriesNames names = new SeriesNames();
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (LogSource source = intake.source(names, 0, Rejects.counted())) {
          for (int i = 0; i < 500; i++) {
            take(intake, BodyFormat.LINES_S, "m,h=a v=" + i + "i " + (1_704_067_200 + i));
            expected.add("m.v h=a " + i + " " + i);
            if (i % 7 == 0) {
              found.addAll(some(source, names, 1));
            }
          }
          intake.end();
          found.addAll(all(source, names));
        }
        assertEquals(expected, found);
      }
    }
  }

  @Test
  void manyClientsAndASlowSourceLoseNothing() throws Exception {
    int clients = 4;
    int bodies = 2000;
    try (Intake intake = intake(500)) {
      SeriesNames names = new SeriesNames();
      List<Thread> threads = new ArrayList<>();
      List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
      for (int client = 0; client < clients; client++) {
        String line = "m,h=c" + client + " v=";
        threads.add(
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < bodies; i++) {
                      take(intake, BodyFormat.LINES_S, line + i + "i " + (1_704_067_200 + i));
                    }
                  } catch (Exception e) {
                    failures.add(e);
                  }
                }));
      }
      try (LogSource source = intake.source(names, 0, Rejects.counted())) {
        threads.forEach(Thread::start);
        List<String> found = some(source, names, clients * bodies);
        for (Thread thread : threads) {
          thread.join();
        }
        assertEquals(List.of(), failures);
        for (int client = 0; client < clients; client++) {
          String of = "h=c" + client + " ";
          List<String> own = found.stream().filter(point -> point.contains(of)).toList();
          List<String> expected = new ArrayList<>();
          for (int i = 0; i < bodies; i++) {
            expected.add("m.v " + of + i + " " + i);
          }
          assertEquals(expected, own);
        }
        assertEquals((long) clients * bodies, intake.points());
      }
    }
  }

  /** As when the store was away: series have other numbers then. */
  @Test
  void aNewSourceBeginsWhereTheOldOneHasCheckpointed() throws Exception {
    try (Intake intake = intake(1 << 20)) {
      SeriesNames first = new SeriesNames();
      long position;
      try (LogSource source = intake.source(first, 0, Rejects.counted())) {
        take(intake, BodyFormat.LINES_S, "m,h=a v=1i 1704067200");
        assertEquals(List.of("m.v h=a 0 1"), some(source, first, 1));
        position = source.position().orElseThrow().offset();
        take(intake, BodyFormat.LINES_S, "m,h=b v=2i 1704067201");
        assertEquals(List.of("m.v h=b 1 2"), some(source, first, 1));
        take(intake, BodyFormat.LINES_S, "m,h=c v=3i 1704067202");
      }
      SeriesNames second = new SeriesNames();
      try (LogSource source = intake.source(second, position, Rejects.counted())) {
        take(intake, BodyFormat.LINES_S, "m,h=b v=4i 1704067203");
        intake.end();
        assertEquals(List.of("m.v h=b 1 2", "m.v h=c 2 3", "m.v h=b 3 4"), all(source, second));
        assertEquals(2, second.size());
      }
    }
  }

  @Test
  void rejectsAreCountedOnceWithTheirClient() throws Exception {
    try (Intake intake = intake(1 << 20)) {
      SeriesNames names = new SeriesNames();
      Rejects rejects = Rejects.counted();
      try (LogSource source = intake.source(names, 0, rejects)) {
        Taken taken =
            take(
                intake,
                BodyFormat.LINES_S,
                "m,h=a v=1i 1704067200\nnot a line\nm,h=a t=\"text\",w=x 1704067200");
        assertEquals(1, taken.points());
        assertEquals(1, taken.leftOut());
        assertEquals(2, taken.rejected());
        assertEquals("not a line", taken.rejects().get(0).text());
        intake.end();
        all(source, names);
        assertEquals(2, rejects.total());
        assertEquals(1, source.leftOut());
        assertTrue(rejects.first().get(0).startsWith("127.0.0.1:1:2"), rejects.first().toString());
      }
    }
  }

  @Test
  void pointsOfTheFutureAreRejected() throws Exception {
    try (Intake intake = intake(1 << 20)) {
      long last = (NOW_MS + AHEAD_MS) / 1000 - 1;
      Taken taken =
          take(intake, BodyFormat.LINES_S, "m,h=a v=1i " + last + "\nm,h=a v=1i " + (last + 1));
      assertEquals(1, taken.points());
      assertEquals(1, taken.rejected());
    }
  }

  @Test
  void whatCannotBeReadIsRefusedAndLeavesNothing() throws Exception {
    try (Intake intake = intake(1 << 20)) {
      long before = intake.logBytes();
      assertEquals(Why.MALFORMED, refused(intake, BodyFormat.PUT_JSON, "[{\"metric\":"));
      assertEquals(Why.MALFORMED, refused(intake, BodyFormat.PUT_JSON, "7"));
      assertEquals(Why.MALFORMED, refused(intake, BodyFormat.PUT_JSON, "[] []"));
      ReceivedBody bomb =
          new ReceivedBody(
              BodyFormat.LINES_NS,
              BodyEncoding.GZIP,
              NOW_MS,
              "127.0.0.1:1",
              gzipped(new byte[3 << 20]));
      assertEquals(
          Why.TOO_LARGE, assertThrows(RefusedBodyException.class, () -> intake.take(bomb)).why());
      ReceivedBody noGzip =
          new ReceivedBody(
              BodyFormat.LINES_NS, BodyEncoding.GZIP, NOW_MS, "127.0.0.1:1", new byte[] {1, 2, 3});
      assertEquals(
          Why.MALFORMED, assertThrows(RefusedBodyException.class, () -> intake.take(noGzip)).why());
      assertEquals(Why.MALFORMED, refusedSnappy(intake, new byte[] {1, 2, 3}));
      // It says that it has 2^28 bytes.
      byte[] claims = {-128, -128, -128, -128, 1, 0, 0, 0};
      assertEquals(Why.MALFORMED, refusedSnappy(intake, claims));
      assertEquals(Why.TOO_LARGE, refusedSnappy(intake, snappy(new byte[3 << 20])));
      assertEquals(Why.MALFORMED, refusedSnappy(intake, snappy(new byte[] {1, 2, 3})));
      assertEquals(before, intake.logBytes());
      assertEquals(0, intake.points());
    }
  }

  @Test
  void remoteWriteComesOutAlsoWhenItIsReadAgain() throws Exception {
    RemoteWriteBytes request = new RemoteWriteBytes();
    RemoteWriteBytes series = new RemoteWriteBytes();
    series.label("__name__", "m.v").label("h", "a").sample(1.5, NOW_MS + 3000);
    request.message(1, series);
    try (Intake intake = intake(1 << 20)) {
      SeriesNames names = new SeriesNames();
      try (LogSource source = intake.source(names, 0, Rejects.counted())) {
        intake.take(
            new ReceivedBody(
                BodyFormat.REMOTE_WRITE_1,
                BodyEncoding.SNAPPY,
                NOW_MS,
                "127.0.0.1:1",
                snappy(request.bytes())));
        intake.end();
        assertEquals(List.of("m.v h=a 3 " + Double.doubleToRawLongBits(1.5)), all(source, names));
      }
    }
    assertEquals(List.of("m.v h=a 3 " + Double.doubleToRawLongBits(1.5)), rest(0));
  }

  private static Why refusedSnappy(Intake intake, byte[] bytes) {
    ReceivedBody body =
        new ReceivedBody(
            BodyFormat.REMOTE_WRITE_1, BodyEncoding.SNAPPY, NOW_MS, "127.0.0.1:1", bytes);
    return assertThrows(RefusedBodyException.class, () -> intake.take(body)).why();
  }

  private static byte[] snappy(byte[] bytes) {
    return RemoteWriteBytes.snappy(bytes);
  }

  @Test
  void aFullLogRefusesUntilItIsFreed() throws Exception {
    try (Intake intake = new Intake(SegmentLog.open(folder, 300, 1000), SPEC, limits(1 << 20))) {
      SeriesNames names = new SeriesNames();
      try (LogSource source = intake.source(names, 0, Rejects.counted())) {
        int taken = 0;
        while (true) {
          try {
            take(intake, BodyFormat.LINES_S, "m,h=a v=1i " + (1_704_067_200 + taken));
            taken++;
          } catch (RefusedBodyException e) {
            assertEquals(Why.BUSY, e.why());
            break;
          }
        }
        assertTrue(taken > 3);
        assertEquals(taken, some(source, names, taken).size());
        intake.free(source.position().orElseThrow().offset());
        assertEquals(1, take(intake, BodyFormat.LINES_S, "m,h=a v=1i 1704070000").points());
        intake.end();
        assertEquals(Why.ENDED, refused(intake, BodyFormat.LINES_S, "m,h=a v=1i 1704070000"));
        assertEquals(1, all(source, names).size());
      }
    }
  }

  private Intake intake(int room) throws IOException {
    return new Intake(SegmentLog.open(folder, 1 << 16, 1 << 24), SPEC, limits(room));
  }

  private static Intake.Limits limits(int queuedPoints) {
    return new Intake.Limits(1 << 20, queuedPoints, AHEAD_MS);
  }

  /** What a source reads from the log alone. */
  private List<String> rest(long from) throws Exception {
    try (Intake intake = intake(1 << 20)) {
      intake.end();
      SeriesNames names = new SeriesNames();
      try (LogSource source = intake.source(names, from, Rejects.counted())) {
        return all(source, names);
      }
    }
  }

  private static Why refused(Intake intake, BodyFormat format, String text) {
    return assertThrows(RefusedBodyException.class, () -> take(intake, format, text)).why();
  }

  private static Taken take(Intake intake, BodyFormat format, String text)
      throws RefusedBodyException {
    return intake.take(body(format, NOW_MS, text));
  }

  private static ReceivedBody body(BodyFormat format, long receivedMs, String text) {
    return new ReceivedBody(
        format,
        BodyEncoding.PLAIN,
        receivedMs,
        "127.0.0.1:1",
        text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] gzipped(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  /** Points until the source ends: series, seconds since the first time, value. */
  private static List<String> all(LogSource source, SeriesNames names) throws Exception {
    List<String> found = new ArrayList<>();
    for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
      add(batch, names, found);
    }
    return found;
  }

  /** At least so many points. */
  private static List<String> some(LogSource source, SeriesNames names, int count)
      throws Exception {
    List<String> found = new ArrayList<>();
    while (found.size() < count) {
      PointBatch batch = source.next();
      assertFalse(batch == null);
      add(batch, names, found);
    }
    return found;
  }

  private static void add(PointBatch batch, SeriesNames names, List<String> found) {
    for (int run = 0; run < batch.runs(); run++) {
      for (int i = batch.start(run); i < batch.end(run); i++) {
        found.add(
            names.get(batch.series(run)).metric()
                + " "
                + names.get(batch.series(run)).tags().key(0)
                + "="
                + names.get(batch.series(run)).tags().value(0)
                + " "
                + (batch.timestampsMs()[i] - NOW_MS) / 1000
                + " "
                + batch.bits()[i]);
      }
    }
  }
}
