package io.packhorse.loader.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one object of metric, timestamp, value and tags. Other members are ignored. One thread. */
final class PointObject {
  private final SeriesReader reader;
  private final EpochTime time;
  private final ValueReader value = new ValueReader();

  private String metric = "";
  private String timestampWord = "";
  private String valueWord = "";
  private boolean valueIsNumber;
  private boolean malformed;

  /** Key, value, key, value, ... */
  private final List<String> tags = new ArrayList<>();

  PointObject(SeriesReader reader, EpochTime time) {
    this.reader = reader;
    this.time = time;
  }

  /**
   * Reads an object to its end and adds its point.
   *
   * @param parser at the object's start
   * @return why it is no point, or null
   * @throws IOException if this is not JSON
   */
  @Nullable Reason read(JsonParser parser, Points points) throws IOException {
    readMembers(parser);
    if (malformed || metric.isEmpty() || timestampWord.isEmpty() || valueWord.isEmpty()) {
      return Reason.JSON_MALFORMED;
    }
    byte[] timestamp = timestampWord.getBytes(StandardCharsets.UTF_8);
    long timestampMs = time.millis(timestamp, 0, timestamp.length);
    if (timestampMs < 0) {
      return TimeReader.reason(timestampMs);
    }
    byte[] number = valueWord.getBytes(StandardCharsets.UTF_8);
    Reason reason = valueIsNumber ? value.read(number, 0, number.length) : Reason.VALUE_TEXT;
    if (reason != null) {
      return reason;
    }
    int series = readSeries();
    if (series == SeriesReader.REJECTED) {
      return reader.reason();
    }
    points.add(series, timestampMs, value.bits(), value.isDouble());
    return null;
  }

  private int readSeries() {
    reader.begin();
    for (int i = 0; i < tags.size(); i += 2) {
      if (!reader.tag(tags.get(i), tags.get(i + 1))) {
        return SeriesReader.REJECTED;
      }
    }
    return reader.endTags() ? reader.series(metric) : SeriesReader.REJECTED;
  }

  private void readMembers(JsonParser parser) throws IOException {
    metric = "";
    timestampWord = "";
    valueWord = "";
    tags.clear();
    malformed = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String member = parser.currentName();
      JsonToken token = parser.nextToken();
      switch (member) {
        case "metric" -> metric = word(parser, token);
        case "timestamp" -> timestampWord = word(parser, token);
        case "value" -> {
          valueWord = word(parser, token);
          valueIsNumber = token != null && !token.isBoolean();
        }
        case "tags" -> readTags(parser, token);
        default -> parser.skipChildren();
      }
    }
    malformed |= parser.currentToken() != JsonToken.END_OBJECT;
  }

  private void readTags(JsonParser parser, @Nullable JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT) {
      malformed = true;
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      tags.add(parser.currentName());
      String word = word(parser, parser.nextToken());
      malformed |= word.isEmpty();
      tags.add(word);
    }
  }

  /** Text or number as it is written; empty for anything else, which is skipped. */
  private static String word(JsonParser parser, @Nullable JsonToken token) throws IOException {
    if (token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
      return parser.getText();
    }
    parser.skipChildren();
    return "";
  }
}
