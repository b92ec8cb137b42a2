package io.packhorse.loader.receive;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.packhorse.loader.receive.RefusedBodyException.Why;
import io.packhorse.loader.source.influx.LineProtocol;
import io.packhorse.loader.source.json.PutBody;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.TextRecords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Turns bodies into points and rejects. One thread. */
final class BodyReader {
  private static final int TEXT_BYTES = 1 << 16;

  /** A longer buffer is not kept. */
  private static final int TEXT_BYTES_KEPT = 4 << 20;

  private final ReceiverFormats formats;
  private final Map<BodyFormat, RecordFormat> lines = new EnumMap<>(BodyFormat.class);
  private final PutBody json;
  private final Points points;
  private byte[] text = new byte[TEXT_BYTES];
  private int length;

  BodyReader(ReceiverFormats formats) {
    this.formats = formats;
    this.json = formats.putBody();
    this.points = formats.points();
  }

  /**
   * Reads a body.
   *
   * @param textBytesMax limit of its decompressed length
   * @return the reader's own; valid until the next call
   * @throws RefusedBodyException if none of it can be used
   */
  Points read(ReceivedBody body, long textBytesMax) throws RefusedBodyException {
    try {
      load(body, textBytesMax);
      points.rejectFrom(body.receivedMs() + formats.aheadMs());
      if (body.format() == BodyFormat.PUT_JSON) {
        json.read(text, length, points);
      } else {
        RecordFormat format = lines.computeIfAbsent(body.format(), formats::lines);
        if (format instanceof LineProtocol influx) {
          influx.setTimestampOfAll(body.receivedMs());
        }
        TextRecords.parse(text, length, format, points);
      }
      return points;
    } catch (JsonProcessingException e) {
      throw new RefusedBodyException(Why.MALFORMED, "Unable to parse the JSON: " + sentence(e));
    } catch (IOException e) {
      throw new RefusedBodyException(
          Why.MALFORMED, "The body is not valid gzip: " + e.getMessage());
    }
  }

  private static String sentence(JsonProcessingException e) {
    return e.getOriginalMessage() + " at byte " + e.getLocation().getByteOffset();
  }

  private void load(ReceivedBody body, long textBytesMax) throws IOException, RefusedBodyException {
    if (text.length > TEXT_BYTES_KEPT) {
      text = new byte[TEXT_BYTES];
    }
    length = 0;
    if (!body.gzip()) {
      room(body.bytes().length);
      System.arraycopy(body.bytes(), 0, text, 0, body.bytes().length);
      length = body.bytes().length;
      return;
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body.bytes()))) {
      while (true) {
        int read = in.read(text, length, text.length - ByteKeyIndex.PADDING - length);
        if (read < 0) {
          return;
        }
        length += read;
        if (length > textBytesMax) {
          throw new RefusedBodyException(
              Why.TOO_LARGE, "The body has more than " + textBytesMax + " bytes once decompressed");
        }
        room(length + 1);
      }
    }
  }

  private void room(int bytes) {
    int needed = bytes + ByteKeyIndex.PADDING;
    if (needed > text.length) {
      text = Arrays.copyOf(text, Math.max(needed, 2 * text.length));
    }
  }
}
