package io.packhorse.loader.source.openmetrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.source.openmetrics.WriteRequest.Version;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.RejectedRecord;
import io.packhorse.loader.source.record.Rejects;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.SeriesRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class WriteRequestTest {
  private static final long T = 1_704_067_200_123L;

  /** Prometheus' mark for the end of a series. */
  private static final double STALE = Double.longBitsToDouble(0x7ff0000000000002L);

  private final SeriesNames names = new SeriesNames();
  private final Points points = new Points(SeriesRules.NONE, Rejects.counted()).forChunk();
  private final WriteRequest reader =
      new WriteRequest(new SeriesReader(names, SeriesRules.NONE), new ByteKeyIndex());

  @Test
  void readsVersion1() throws Exception {
    RemoteWriteBytes first = up("h1").sample(1, T).sample(0.25, T + 15_000);
    RemoteWriteBytes second = up("h2").label("empty", "").sample(-1, T);
    RemoteWriteBytes metadata = new RemoteWriteBytes().integer(1, 2).text(2, "up");
    byte[] body =
        new RemoteWriteBytes().message(1, first).message(3, metadata).message(1, second).bytes();
    assertEquals(
        List.of("up{host=h1} 0 1.0", "up{host=h1} 15000 0.25", "up{host=h2} 0 -1.0"),
        read(Version.ONE, body));
    assertEquals(3, read(Version.ONE, body).size(), "series that are known");
    assertEquals(2, names.size());
  }

  /** Version 2.0 names the same series by numbers of symbols. */
  @Test
  void readsVersion2() throws Exception {
    String longName = "x".repeat(200);
    byte[] body =
        symbols("", "__name__", "up", "host", "h1", "h2", longName)
            .message(5, new RemoteWriteBytes().references(1, 2, 3, 4).sample(1, T))
            .message(5, new RemoteWriteBytes().references(1, 2, 3, 6).sample(3, T))
            .message(5, new RemoteWriteBytes().sample(2, T).references(1, 2, 3, 5))
            .bytes();
    assertEquals(
        List.of("up{host=h1} 0 1.0", "up{host=" + longName + "} 0 3.0", "up{host=h2} 0 2.0"),
        read(Version.TWO, body));
    read(Version.ONE, new RemoteWriteBytes().message(1, up("h1").sample(1, T)).bytes());
    assertEquals(3, names.size());
  }

  @Test
  void fieldsMayComeInAnyOrderAndUnknownOnesAreSkipped() throws Exception {
    RemoteWriteBytes sample =
        new RemoteWriteBytes().integer(9, 1).integer(2, T).text(7, "new").real(1, 5);
    RemoteWriteBytes series =
        new RemoteWriteBytes()
            .message(2, sample)
            .message(1, new RemoteWriteBytes().text(2, "h1").text(1, "host"))
            .message(3, new RemoteWriteBytes().real(2, 1))
            .real(12, 1)
            .label("__name__", "up");
    byte[] body = new RemoteWriteBytes().integer(99, 3).message(1, series).bytes();
    assertEquals(List.of("up{host=h1} 0 5.0"), read(Version.ONE, body));
  }

  @Test
  void whatIsNoNumberIsLeftOutOrRejected() throws Exception {
    RemoteWriteBytes good =
        up("h1")
            .sample(STALE, T)
            .sample(Double.NaN, T)
            .sample(Double.NEGATIVE_INFINITY, T)
            .sample(7, 0)
            .sample(7, Long.MAX_VALUE)
            .message(4, new RemoteWriteBytes().integer(1, 5))
            .sample(7, T);
    RemoteWriteBytes noName = new RemoteWriteBytes().label("host", "h1").sample(1, T);
    RemoteWriteBytes character = up("localhost:9090").sample(1, T).sample(2, T);
    byte[] body =
        new RemoteWriteBytes().message(1, good).message(1, noName).message(1, character).bytes();
    assertEquals(List.of("up{host=h1} 0 7.0"), read(Version.ONE, body));
    assertEquals(2, points.leftOutHere());
    assertEquals(
        List.of(
            Reason.VALUE_NOT_FINITE,
            Reason.TIMESTAMP_OUT_OF_RANGE,
            Reason.TIMESTAMP_OUT_OF_RANGE,
            Reason.HISTOGRAM,
            Reason.NAME_EMPTY,
            Reason.NAME_CHARACTER,
            Reason.NAME_CHARACTER),
        points.rejectedHere().stream().map(RejectedRecord::reason).toList());
    assertEquals(
        "{__name__=\"up\",host=\"localhost:9090\"} 2.0 " + T, points.rejectedHere().get(6).text());
  }

  @Test
  void whatIsNoRequestIsRefused() {
    RemoteWriteBytes labels = symbols("", "__name__", "up");
    for (byte[] body :
        List.of(
            new byte[] {1},
            new byte[] {0x0a, 5, 1},
            new byte[] {0x0b},
            new byte[] {0x0a, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
            "GET / HTTP/1.1".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
            new RemoteWriteBytes().integer(1, 5).bytes(),
            new RemoteWriteBytes()
                .message(1, up("h").message(2, new RemoteWriteBytes().integer(1, 5)))
                .bytes())) {
      assertThrows(MalformedRequestException.class, () -> read(Version.ONE, body));
    }
    for (RemoteWriteBytes series :
        List.of(
            new RemoteWriteBytes().references(1, 3),
            new RemoteWriteBytes().references(1),
            new RemoteWriteBytes().references(-1, 1),
            new RemoteWriteBytes().integer(1, 1))) {
      byte[] body = new RemoteWriteBytes().bytes(4, labels.bytes()).message(5, series).bytes();
      assertThrows(MalformedRequestException.class, () -> read(Version.TWO, body));
    }
  }

  /** No damage makes anything but points, rejects or a refusal. */
  @Test
  void damagedRequestsEndNothing() {
    byte[] one =
        new RemoteWriteBytes()
            .message(1, up("h1").sample(1, T).sample(2, T))
            .message(1, up("h2").sample(1, T))
            .bytes();
    byte[] two =
        symbols("", "__name__", "up", "host", "h1")
            .message(5, new RemoteWriteBytes().references(1, 2, 3, 4).sample(1, T).sample(2, T))
            .bytes();
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      Version version = i % 2 == 0 ? Version.ONE : Version.TWO;
      byte[] good = i % 2 == 0 ? one : two;
      byte[] body = Arrays.copyOf(good, good.length - (random.nextInt(3) == 0 ? i % 40 : 0));
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        assertTrue(read(version, body).size() + points.rejectedHere().size() < 100);
      } catch (MalformedRequestException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000 && refused < 19_000, "refused " + refused);
  }

  private static RemoteWriteBytes up(String host) {
    return new RemoteWriteBytes().label("__name__", "up").label("host", host);
  }

  private static RemoteWriteBytes symbols(String... symbols) {
    RemoteWriteBytes request = new RemoteWriteBytes();
    for (String symbol : symbols) {
      request.text(4, symbol);
    }
    return request;
  }

  private List<String> read(Version version, byte[] body) throws MalformedRequestException {
    byte[] buffer = Arrays.copyOf(body, body.length + ByteKeyIndex.PADDING);
    reader.read(version, buffer, body.length, points);
    PointBatch batch = points.batch();
    List<String> found = new ArrayList<>();
    for (int run = 0; run < batch.runs(); run++) {
      for (int i = batch.start(run); i < batch.end(run); i++) {
        found.add(
            names.get(batch.series(run))
                + " "
                + (batch.timestampsMs()[i] - T)
                + " "
                + Double.longBitsToDouble(batch.bits()[i]));
      }
    }
    return found;
  }
}
