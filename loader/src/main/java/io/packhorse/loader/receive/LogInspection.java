package io.packhorse.loader.receive;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.receive.log.LogScan;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.record.Points;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a receiver's log holds. Read without changing it, also while a receiver uses it. */
public final class LogInspection {
  private final long storedUpTo;
  private final BodyReader bodies;
  private final SeriesNames names = new SeriesNames();
  private final Map<String, Bodies> byFormat = new TreeMap<>();
  private final Set<String> clients = new HashSet<>();
  private long firstArrivalMs = Long.MAX_VALUE;
  private long lastArrivalMs = Long.MIN_VALUE;
  private long firstPointMs = Long.MAX_VALUE;
  private long lastPointMs = Long.MIN_VALUE;
  private long waiting;
  private long unknown;

  /**
   * What was sent in one format.
   *
   * @param bodies requests, or pieces of a connection without requests
   * @param bytes of them as they came
   * @param rejected records or fields
   */
  public record Bodies(long bodies, long bytes, long points, long rejected) {
    static final Bodies NONE = new Bodies(0, 0, 0, 0);

    Bodies plus(Bodies other) {
      return new Bodies(
          bodies + other.bodies,
          bytes + other.bytes,
          points + other.points,
          rejected + other.rejected);
    }
  }

  /** From the first to the last; ISO 8601, UTC. */
  public record Span(String first, String last) {
    static @Nullable Span of(long firstMs, long lastMs) {
      return firstMs > lastMs
          ? null
          : new Span(
              Instant.ofEpochMilli(firstMs).toString(), Instant.ofEpochMilli(lastMs).toString());
    }
  }

  /**
   * What was found.
   *
   * @param segments files, the oldest first
   * @param storedUpTo position up to which all points are in HBase or saved with the open hours
   * @param waiting points after it
   * @param byFormat all bodies by the name of their format
   * @param series in them
   * @param clients addresses, without ports
   * @param arrived null if there is no body
   * @param times of the points; null if there are none
   * @param unknown records that this version cannot read
   */
  public record Found(
      List<LogScan.Segment> segments,
      long storedUpTo,
      long waiting,
      Map<String, Bodies> byFormat,
      int series,
      int clients,
      @Nullable Span arrived,
      @Nullable Span times,
      long unknown) {}

  private LogInspection(SourceSpec spec, long aheadMs, long storedUpTo) {
    this.storedUpTo = storedUpTo;
    this.bodies = new BodyReader(new ReceiverFormats(names, spec, aheadMs));
  }

  /**
   * Reads a log.
   *
   * @param folder of the log
   * @param spec rules for names and fields
   * @param aheadMs how much later than its arrival a point may be, milliseconds
   * @param storedUpTo position of the job's last checkpoint
   */
  public static Found of(Path folder, SourceSpec spec, long aheadMs, long storedUpTo)
      throws IOException {
    LogInspection inspection = new LogInspection(spec, aheadMs, storedUpTo);
    List<LogScan.Segment> segments = LogScan.read(folder, inspection::add);
    return new Found(
        segments,
        storedUpTo,
        inspection.waiting,
        inspection.byFormat,
        inspection.names.size(),
        inspection.clients.size(),
        Span.of(inspection.firstArrivalMs, inspection.lastArrivalMs),
        Span.of(inspection.firstPointMs, inspection.lastPointMs),
        inspection.unknown);
  }

  private void add(long end, byte[] payload) {
    ReceivedBody body;
    Points parsed;
    try {
      body = ReceivedBody.ofRecord(payload);
      parsed = bodies.read(body, Integer.MAX_VALUE);
    } catch (IOException | RefusedBodyException e) {
      unknown++;
      return;
    }
    PointBatch points = parsed.batch();
    byFormat.merge(
        body.format().shown(),
        new Bodies(1, body.bytes().length, points.points(), parsed.rejectedHere().size()),
        Bodies::plus);
    clients.add(body.client().replaceFirst(":[0-9]+$", ""));
    firstArrivalMs = Math.min(firstArrivalMs, body.receivedMs());
    lastArrivalMs = Math.max(lastArrivalMs, body.receivedMs());
    for (int i = 0; i < points.points(); i++) {
      firstPointMs = Math.min(firstPointMs, points.timestampsMs()[i]);
      lastPointMs = Math.max(lastPointMs, points.timestampsMs()[i]);
    }
    if (end > storedUpTo) {
      waiting += points.points();
    }
  }
}
