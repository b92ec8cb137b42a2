package io.packhorse.loader.source.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.loader.source.record.ValueReader;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What OpenTSDB's {@code /api/query} answers: objects of metric, tags and {@code dps}, which are a
 * map or an array. Such an object may be of any size, so a record is what ends with the next
 * bracket or comma, and goes into a parser that takes its input piece by piece. One object reads
 * one input, from its beginning. One thread.
 *
 * <p>Points that are aggregates of several series are rejects: they are none that was measured.
 */
public final class QueryAnswers implements RecordFormat {
  private static final Pattern LIKELY = Pattern.compile("\"dps\"\\s*:\\s*[\\[{]");
  private static final int START_MAX = 64;
  private static final String FIRST_MEMBER = "\"metric\"";

  private final SeriesReader reader;
  private final EpochTime time;
  private final JsonFactory json =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  private final ValueReader value = new ValueReader();
  private JsonParser parser;

  /** Where in an answer the parser is. */
  private enum Place {
    OUTSIDE,
    RESULT,
    TAGS,
    AGGREGATED_TAGS,
    POINT_MAP,
    POINT_ARRAY,
    POINT_PAIR,
    SKIPPED
  }

  private Place place = Place.OUTSIDE;
  private int skippedDepth;
  private String member = "";
  private String timestampWord = "";
  private boolean pairHasValue;

  private String metric = "";

  /** Key, value, key, value, ... */
  private final List<String> tags = new ArrayList<>();

  private boolean aggregated;
  private boolean hasPoints;

  /** Why the points of the current object are rejects; null if they are not. */
  private @Nullable Reason refusal;

  private int series;

  /** Whether the record being read has a point so far, whose value the reader of values holds. */
  private boolean pending;

  private long pendingMs;

  /** After an error: what comes before the next object is passed over. */
  private boolean lost;

  private boolean objectBegan;

  /** Whether the objects are in an array. */
  private boolean inArray;

  public QueryAnswers(SeriesReader reader, EpochTime time) {
    this.reader = reader;
    this.time = time;
    this.parser = newParser();
  }

  private JsonParser newParser() {
    try {
      return json.createNonBlockingByteArrayParser();
    } catch (IOException e) {
      throw new IllegalStateException("a parser of bytes in memory reads nothing yet", e);
    }
  }

  /** Whether an input seems to be such answers. */
  public static boolean startsLike(String beginning) {
    return LIKELY.matcher(beginning).find();
  }

  @Override
  public String description() {
    return "answers of OpenTSDB's /api/query, timestamps in " + time.unit();
  }

  @Override
  public boolean dependsOnEarlierRecords() {
    return true;
  }

  @Override
  public boolean countsLines() {
    return true;
  }

  @Override
  public int recordEnd(byte[] buffer, int from, int limit, boolean last) {
    boolean quoted = false;
    for (int at = from; at < limit; at++) {
      byte b = buffer[at];
      if (quoted) {
        if (b == '\\') {
          at++;
        } else if (b == '"') {
          quoted = false;
        }
      } else if (b == '"') {
        quoted = true;
      } else if (b == ',' || b == '{' || b == '}' || b == '[' || b == ']') {
        return at + 1;
      }
    }
    return last ? limit : -1;
  }

  @Override
  public int lastRecordEnd(byte[] buffer, int from, int limit) {
    int last = from;
    for (int end = from; end >= 0 && end < limit; ) {
      end = recordEnd(buffer, last, limit, false);
      last = Math.max(last, end);
    }
    return last;
  }

  @Override
  public void read(byte[] buffer, int from, int to, Points points) {
    String start = lost ? text(buffer, from, Math.min(to, from + START_MAX)).strip() : "";
    if (lost && !(objectBegan && start.startsWith(FIRST_MEMBER))) {
      objectBegan = start.equals("{");
      return;
    }
    try {
      if (lost) {
        beginAgain(points);
      }
      feed(buffer, from, to);
      for (JsonToken token = parser.nextToken();
          token != JsonToken.NOT_AVAILABLE;
          token = parser.nextToken()) {
        take(token, from, to, points);
      }
      // Only now is it sure that nothing else follows the number.
      if (pending) {
        points.add(series, pendingMs, value.bits(), value.isDouble());
        pending = false;
      }
      boolean cut = to > from && ",{}[]\n\r \t".indexOf(buffer[to - 1]) < 0;
      if (cut) {
        points.reject(Reason.QUERY_MALFORMED, from, to);
      }
    } catch (IOException e) {
      pending = false;
      points.reject(Reason.QUERY_MALFORMED, from, to);
      lost = true;
      objectBegan = false;
    }
  }

  /** Goes on with a new object after an error, in an array if all of them are in one. */
  private void beginAgain(Points points) throws IOException {
    lost = false;
    place = Place.OUTSIDE;
    parser = newParser();
    byte[] start = (inArray ? "[{" : "{").getBytes(StandardCharsets.US_ASCII);
    feed(start, 0, start.length);
    for (int i = 0; i < start.length; i++) {
      take(parser.nextToken(), 0, 0, points);
    }
  }

  private void feed(byte[] buffer, int from, int to) throws IOException {
    ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(buffer, from, to);
  }

  private static String text(byte[] buffer, int from, int to) {
    return new String(buffer, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private void take(JsonToken token, int from, int to, Points points) throws IOException {
    switch (place) {
      case OUTSIDE -> {
        if (token == JsonToken.START_OBJECT) {
          beginResult();
        } else if (token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) {
          inArray = token == JsonToken.START_ARRAY;
        } else {
          points.reject(Reason.QUERY_MALFORMED, from, to);
        }
      }
      case RESULT -> takeMember(token, from, to, points);
      case TAGS -> {
        if (token == JsonToken.END_OBJECT) {
          place = Place.RESULT;
        } else if (token == JsonToken.FIELD_NAME) {
          tags.add(parser.getText());
        } else if (token.isScalarValue()) {
          tags.add(parser.getText());
        } else {
          skip();
          refusal = Reason.TAG_MALFORMED;
        }
      }
      case AGGREGATED_TAGS -> {
        if (token == JsonToken.END_ARRAY) {
          place = Place.RESULT;
        } else {
          aggregated = true;
        }
      }
      case POINT_MAP -> {
        if (token == JsonToken.END_OBJECT) {
          place = Place.RESULT;
        } else if (token == JsonToken.FIELD_NAME) {
          timestampWord = parser.getText();
        } else {
          takePoint(token, from, to, points);
        }
      }
      case POINT_ARRAY -> {
        if (token == JsonToken.START_ARRAY) {
          place = Place.POINT_PAIR;
          timestampWord = "";
          pairHasValue = false;
        } else if (token == JsonToken.END_ARRAY) {
          place = Place.RESULT;
        } else {
          throw new IOException("an array of points holds something else");
        }
      }
      case POINT_PAIR -> {
        if (token == JsonToken.END_ARRAY) {
          place = Place.POINT_ARRAY;
          if (!pairHasValue) {
            points.reject(Reason.QUERY_MALFORMED, from, to);
          }
        } else if (timestampWord.isEmpty() && token.isNumeric()) {
          timestampWord = parser.getText();
        } else if (timestampWord.isEmpty() || pairHasValue || token.isStructStart()) {
          throw new IOException("a point is not a timestamp and a value");
        } else {
          pairHasValue = true;
          takePoint(token, from, to, points);
        }
      }
      case SKIPPED -> {
        skippedDepth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (skippedDepth == 0) {
          place = Place.RESULT;
        }
      }
    }
  }

  private void beginResult() {
    place = Place.RESULT;
    metric = "";
    tags.clear();
    aggregated = false;
    hasPoints = false;
    refusal = null;
  }

  private void takeMember(JsonToken token, int from, int to, Points points) throws IOException {
    if (token == JsonToken.FIELD_NAME) {
      member = parser.getText();
      return;
    }
    if (token == JsonToken.END_OBJECT) {
      place = Place.OUTSIDE;
      if (!hasPoints && !member.equals("statsSummary")) {
        points.reject(Reason.QUERY_MALFORMED, from, to);
      }
      return;
    }
    if (member.equals("metric") && token == JsonToken.VALUE_STRING) {
      metric = parser.getText();
    } else if (member.equals("tags") && token == JsonToken.START_OBJECT) {
      place = Place.TAGS;
    } else if (member.equals("aggregateTags") && token == JsonToken.START_ARRAY) {
      place = Place.AGGREGATED_TAGS;
    } else if (member.equals("dps") && token.isStructStart()) {
      hasPoints = true;
      place = token == JsonToken.START_OBJECT ? Place.POINT_MAP : Place.POINT_ARRAY;
      findSeries();
    } else if (token.isStructStart()) {
      skip();
    }
  }

  private void skip() {
    place = Place.SKIPPED;
    skippedDepth = 1;
  }

  private void findSeries() {
    if (refusal != null) {
      return;
    }
    if (metric.isEmpty()) {
      refusal = Reason.QUERY_ORDER;
      return;
    }
    if (aggregated) {
      refusal = Reason.QUERY_AGGREGATED;
      return;
    }
    reader.begin();
    boolean taken = true;
    for (int i = 0; i < tags.size() && taken; i += 2) {
      taken = reader.tag(tags.get(i), tags.get(i + 1));
    }
    series = taken && reader.endTags() ? reader.series(metric) : SeriesReader.REJECTED;
    refusal = series == SeriesReader.REJECTED ? reader.reason() : null;
  }

  /** Takes the value of a point; null is no value. */
  private void takePoint(JsonToken token, int from, int to, Points points) throws IOException {
    if (token.isStructStart()) {
      throw new IOException("a value is an object or an array");
    }
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    Reason reason = refusal;
    long timestampMs = 0;
    if (reason == null) {
      byte[] word = timestampWord.getBytes(StandardCharsets.UTF_8);
      timestampMs = word.length == 0 ? TimeReader.MALFORMED : time.millis(word, 0, word.length);
      reason = timestampMs < 0 ? TimeReader.reason(timestampMs) : readValue(token);
    }
    if (reason == null) {
      pending = true;
      pendingMs = timestampMs;
    } else {
      points.reject(reason, from, to);
    }
  }

  private @Nullable Reason readValue(JsonToken token) throws IOException {
    byte[] word = parser.getText().getBytes(StandardCharsets.UTF_8);
    if (token.isNumeric()) {
      return value.read(word, 0, word.length);
    }
    // OpenTSDB writes numbers that are none in quotes.
    boolean notFinite =
        word.length > 0 && value.read(word, 0, word.length) == Reason.VALUE_NOT_FINITE;
    return notFinite ? Reason.VALUE_NOT_FINITE : Reason.VALUE_TEXT;
  }
}
