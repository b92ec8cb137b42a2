package io.packhorse.loader.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.receive.LogInspection.Bodies;
import io.packhorse.loader.receive.LogInspection.Found;
import io.packhorse.loader.receive.LogInspection.Span;
import io.packhorse.loader.receive.log.SegmentLog;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogInspectionTest {
  private static final long NOW_MS = 1_704_067_200_000L;
  private static final SourceSpec SPEC =
      new SourceSpec(
          Optional.empty(),
          Optional.empty(),
          SeriesRules.NONE,
          TableOptions.NONE,
          new FieldRules(true, true));

  @TempDir private Path folder = Path.of("");

  @Test
  void saysWhatTheBodiesAreWhileTheLogIsOpen() throws Exception {
    String lines = "m,h=a v=1i 1704067200\nm,h=b v=2i 1704067201\nm,h=b v= 1704067202";
    String puts = "put m.v 1704067203 3 h=a\n";
    try (SegmentLog log = log()) {
      long stored = append(log, BodyFormat.LINES_S, "10.0.0.1:4711", lines);
      append(log, BodyFormat.PUT_LINES, "10.0.0.1:4712", puts);
      append(log, BodyFormat.PUT_LINES, "[::1]:4713", puts);
      Found found = LogInspection.of(folder, SPEC, 2_000, stored);
      assertEquals(
          Map.of(
              "line protocol",
              new Bodies(1, lines.length(), 2, 1),
              "telnet put",
              new Bodies(2, 2L * puts.length(), 0, 2)),
          found.byFormat(),
          "a point 3 s ahead of its arrival is rejected where less than 2 s are allowed");
      assertEquals(2, found.clients());
      assertEquals(0, found.waiting());
      found = LogInspection.of(folder, SPEC, 3_600_000, stored);
      assertEquals(2, found.waiting());
      assertEquals(2, found.series());
      assertEquals(new Span("2024-01-01T00:00:00Z", "2024-01-01T00:00:03Z"), found.times());
      assertEquals(new Span("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"), found.arrived());
      assertTrue(found.segments().size() > 1, found.segments()::toString);
      assertEquals(3, found.segments().stream().mapToInt(each -> each.records()).sum());
    }
  }

  @Test
  void aTornOrDamagedSegmentIsSaidAndTheOthersAreRead() throws Exception {
    try (SegmentLog log = log()) {
      for (int i = 0; i < 12; i++) {
        append(log, BodyFormat.LINES_S, "a", "m,h=a v=" + i + "i 1704067200");
      }
    }
    Found whole = LogInspection.of(folder, SPEC, 1_000, 0);
    assertTrue(whole.segments().size() > 2, whole::toString);
    Path second = Path.of(whole.segments().get(1).file());
    byte[] bytes = Files.readAllBytes(second);
    bytes[bytes.length - 1] ^= 1;
    Files.write(second, bytes);
    Path last = Path.of(whole.segments().get(whole.segments().size() - 1).file());
    Files.write(last, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
    Found found = LogInspection.of(folder, SPEC, 1_000, 0);
    assertTrue(found.segments().get(1).unreadable().isPresent());
    assertEquals(
        OptionalLong.of(whole.segments().get(whole.segments().size() - 1).bytes()),
        found.segments().get(whole.segments().size() - 1).unreadable());
    assertEquals(11, found.waiting());
  }

  @Test
  void anEmptyLogAndRecordsOfOthers() throws Exception {
    try (SegmentLog log = log()) {
      Found empty = LogInspection.of(folder, SPEC, 1_000, 0);
      assertNull(empty.arrived());
      assertNull(empty.times());
      log.append("what is this".getBytes(StandardCharsets.UTF_8));
      assertEquals(1, LogInspection.of(folder, SPEC, 1_000, 0).unknown());
    }
  }

  private SegmentLog log() throws IOException {
    return SegmentLog.open(folder, 200, 1 << 20);
  }

  private static long append(SegmentLog log, BodyFormat format, String client, String text)
      throws IOException {
    ReceivedBody body =
        new ReceivedBody(
            format, BodyEncoding.PLAIN, NOW_MS, client, text.getBytes(StandardCharsets.UTF_8));
    return log.append(body.recordHead(), body.bytes()).orElseThrow();
  }
}
