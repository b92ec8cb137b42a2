package io.packhorse.loader.source.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's JSON, as its {@code put} takes it: objects of metric, timestamp, value and tags, in
 * arrays or not, any number on a line or each over several lines. Other members are ignored. One
 * thread.
 */
public final class JsonPoints implements RecordFormat {
  private final SeriesReader reader;
  private final EpochTime time;
  private final boolean overLines;
  private final JsonFactory json =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  private final PointObject point;

  /**
   * @param overLines whether an object may contain line ends; if not, a line end makes the object a
   *     reject, so that a missing brace does not swallow the objects after it
   */
  public JsonPoints(SeriesReader reader, EpochTime time, boolean overLines) {
    this.reader = reader;
    this.time = time;
    this.overLines = overLines;
    this.point = new PointObject(reader, time);
  }

  /** Whether the first object of an input spans several lines. */
  public static boolean spansLines(InputHead head) {
    int start = head.from();
    while (start < head.length() && isBetween(head.bytes()[start])) {
      start++;
    }
    int end =
        start == head.length() ? start : endOfObject(head.bytes(), start, head.length(), true);
    for (int at = start; at < end; at++) {
      if (head.bytes()[at] == '\n') {
        return true;
      }
    }
    return false;
  }

  @Override
  public Optional<RecordFormat> forAnotherThread() {
    return Optional.of(
        new JsonPoints(reader.forAnotherThread(), time.forAnotherThread(), overLines));
  }

  @Override
  public boolean isOneLineEach() {
    return !overLines;
  }

  @Override
  public String description() {
    return "OpenTSDB JSON"
        + (overLines ? " over several lines" : "")
        + ", timestamps in "
        + time.unit();
  }

  @Override
  public boolean countsLines() {
    return true;
  }

  @Override
  public int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    int at = from;
    while (at < limit && isBetween(buffer[at])) {
      if (buffer[at++] == '\n') {
        return at;
      }
    }
    if (at > from) {
      return at;
    }
    int end =
        buffer[from] == '{'
            ? endOfObject(buffer, from, limit, overLines)
            : endOfLine(buffer, from, limit);
    return end < 0 && last ? limit : end;
  }

  /** Never the limit inside a line, which would look like a line that is too long. */
  @Override
  public int lastRecordEnd(byte[] buffer, int from, int limit) {
    int end = overLines ? from : RecordFormat.super.lastRecordEnd(buffer, from, limit);
    while (end < limit) {
      int next = recordEnd(buffer, end, limit, false);
      if (next < 0 || (next == limit && buffer[limit - 1] != '\n')) {
        break;
      }
      end = next;
    }
    return end;
  }

  /** Index after an object, or -1 if it is incomplete. */
  private static int endOfObject(byte[] buffer, int from, int limit, boolean overLines) {
    int depth = 0;
    boolean quoted = false;
    for (int at = from; at < limit; at++) {
      switch (buffer[at]) {
        case '\n' -> {
          if (quoted || !overLines) {
            return at + 1;
          }
        }
        case '"' -> quoted = !quoted;
        case '\\' -> at += quoted && !isLineEnd(buffer, at + 1, limit) ? 1 : 0;
        case '{' -> depth += quoted ? 0 : 1;
        case '}' -> {
          depth -= quoted ? 0 : 1;
          if (depth == 0) {
            return at + 1;
          }
        }
        default -> {}
      }
    }
    return -1;
  }

  private static boolean isLineEnd(byte[] buffer, int at, int limit) {
    return at < limit && buffer[at] == '\n';
  }

  private static int endOfLine(byte[] buffer, int from, int limit) {
    for (int at = from; at < limit; at++) {
      if (buffer[at] == '\n') {
        return at + 1;
      }
    }
    return -1;
  }

  private static boolean isBetween(byte b) {
    return switch (b) {
      case ' ', '\t', '\r', '\n', ',', '[', ']' -> true;
      default -> false;
    };
  }

  /** Whether brackets and commas of a line can stand between two objects: one of each at most. */
  private static boolean separates(byte[] buffer, int from, int to) {
    int seen = 0;
    for (int at = from; at < to; at++) {
      int kind = "[],".indexOf(buffer[at]);
      if (kind >= 0) {
        if ((seen & 1 << kind) != 0) {
          return false;
        }
        seen |= 1 << kind;
      }
    }
    return true;
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) throws InputException {
    if (from == to) {
      return;
    }
    if (isBetween(buffer[from])) {
      if (!separates(buffer, from, to)) {
        points.reject(Reason.JSON_MALFORMED, from, to);
      }
      return;
    }
    Reason reason = readPoint(buffer, from, to, points);
    if (reason != null) {
      points.reject(reason, from, to);
    }
  }

  private @Nullable Reason readPoint(byte[] buffer, int from, int to, Points points) {
    try (JsonParser parser = json.createParser(buffer, from, to - from)) {
      return parser.nextToken() == JsonToken.START_OBJECT
          ? point.read(parser, points)
          : Reason.JSON_MALFORMED;
    } catch (IOException e) {
      return Reason.JSON_MALFORMED;
    }
  }
}
