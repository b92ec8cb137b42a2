package io.packhorse.loader.source.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.packhorse.loader.source.record.EpochTime;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.loader.source.record.SeriesReader;
import java.io.IOException;

/**
 * The body of a request to OpenTSDB's {@code /api/put}: an object of metric, timestamp, value and
 * tags, or an array of them. Unlike {@link JsonPoints} it is JSON as a whole or nothing. One
 * thread.
 */
public final class PutBody {
  private final JsonFactory json =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  private final PointObject point;

  public PutBody(SeriesReader reader, EpochTime time) {
    this.point = new PointObject(reader, time);
  }

  /**
   * Reads a body into a collector, which begins with it.
   *
   * @param buffer must not change before the rejects are used
   * @param length of the body
   * @throws JsonParseException if it is not JSON, or neither an object nor an array; the collector
   *     may have points then
   */
  public void read(byte[] buffer, int length, Points points) throws IOException {
    points.begin(buffer);
    try (JsonParser parser = json.createParser(buffer, 0, length)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.START_OBJECT) {
        readObject(parser, 0, points);
      } else if (first == JsonToken.START_ARRAY) {
        long element = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new JsonParseException(parser, "an element of the array is not an object");
          }
          readObject(parser, element++, points);
        }
      } else {
        throw new JsonParseException(parser, "the body is neither an object nor an array");
      }
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "something follows the JSON");
      }
    }
  }

  private void readObject(JsonParser parser, long element, Points points) throws IOException {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    Reason reason = point.read(parser, points);
    if (reason != null) {
      points.at(element);
      points.reject(reason, from, (int) parser.currentLocation().getByteOffset());
    }
  }
}
