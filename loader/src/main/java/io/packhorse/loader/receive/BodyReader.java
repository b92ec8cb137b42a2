package io.packhorse.loader.receive;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.packhorse.loader.receive.RefusedBodyException.Why;
import io.packhorse.loader.source.influx.LineProtocol;
import io.packhorse.loader.source.json.PutBody;
import io.packhorse.loader.source.openmetrics.MalformedRequestException;
import io.packhorse.loader.source.openmetrics.WriteRequest;
import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.record.Points;
import io.packhorse.loader.source.text.RecordFormat;
import io.packhorse.loader.source.text.TextRecords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Turns bodies into points and rejects. One thread. */
final class BodyReader {
  private static final int TEXT_BYTES = 1 << 16;

  /** A longer buffer is not kept. */
  private static final int TEXT_BYTES_KEPT = 4 << 20;

  /** Snappy makes at most 64 bytes of three. */
  private static final int SNAPPY_RATIO_MAX = 32;

  private final ReceiverFormats formats;
  private final Map<BodyFormat, RecordFormat> lines = new EnumMap<>(BodyFormat.class);
  private final PutBody json;
  private final WriteRequest writeRequest;
  private final SnappyDecompressor snappy = new SnappyDecompressor();
  private final Points points;
  private byte[] text = new byte[TEXT_BYTES];
  private int length;

  BodyReader(ReceiverFormats formats) {
    this.formats = formats;
    this.json = formats.putBody();
    this.writeRequest = formats.writeRequest();
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
      switch (body.format()) {
        case PUT_JSON -> json.read(text, length, points);
        case REMOTE_WRITE_1 -> writeRequest.read(WriteRequest.Version.ONE, text, length, points);
        case REMOTE_WRITE_2 -> writeRequest.read(WriteRequest.Version.TWO, text, length, points);
        default -> readLines(body);
      }
      return points;
    } catch (JsonProcessingException e) {
      throw new RefusedBodyException(Why.MALFORMED, "Unable to parse the JSON: " + sentence(e));
    } catch (MalformedRequestException e) {
      throw new RefusedBodyException(
          Why.MALFORMED, "The body is not a write request: " + e.getMessage());
    } catch (IOException e) {
      throw new RefusedBodyException(
          Why.MALFORMED,
          "The body is not valid "
              + body.encoding().name().toLowerCase(Locale.ROOT)
              + ": "
              + e.getMessage());
    }
  }

  private void readLines(ReceivedBody body) throws IOException {
    RecordFormat format = lines.computeIfAbsent(body.format(), formats::lines);
    if (format instanceof LineProtocol influx) {
      influx.setTimestampOfAll(body.receivedMs());
    }
    TextRecords.parse(text, length, format, points);
  }

  /** What exceeds a limit of the parser, such as its depth, has no place. */
  private static String sentence(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return e.getOriginalMessage() + (at == null ? "" : " at byte " + at.getByteOffset());
  }

  private void load(ReceivedBody body, long textBytesMax) throws IOException, RefusedBodyException {
    if (text.length > TEXT_BYTES_KEPT) {
      text = new byte[TEXT_BYTES];
    }
    length = 0;
    switch (body.encoding()) {
      case PLAIN -> {
        room(body.bytes().length);
        System.arraycopy(body.bytes(), 0, text, 0, body.bytes().length);
        length = body.bytes().length;
      }
      case GZIP -> loadGzip(body.bytes(), textBytesMax);
      case SNAPPY -> loadSnappy(body.bytes(), textBytesMax);
    }
  }

  private void loadSnappy(byte[] bytes, long textBytesMax)
      throws IOException, RefusedBodyException {
    try {
      long claimed = bytes.length == 0 ? 0 : SnappyDecompressor.getUncompressedLength(bytes, 0);
      if (claimed < 0 || claimed > (long) SNAPPY_RATIO_MAX * bytes.length) {
        throw new IOException("it claims " + claimed + " bytes");
      }
      if (claimed > textBytesMax) {
        throw tooLarge(textBytesMax);
      }
      room((int) claimed);
      length =
          bytes.length == 0 ? 0 : snappy.decompress(bytes, 0, bytes.length, text, 0, (int) claimed);
    } catch (MalformedInputException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static RefusedBodyException tooLarge(long textBytesMax) {
    return new RefusedBodyException(
        Why.TOO_LARGE, "The body has more than " + textBytesMax + " bytes once decompressed");
  }

  private void loadGzip(byte[] bytes, long textBytesMax) throws IOException, RefusedBodyException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      while (true) {
        int read = in.read(text, length, text.length - ByteKeyIndex.PADDING - length);
        if (read < 0) {
          return;
        }
        length += read;
        if (length > textBytesMax) {
          throw tooLarge(textBytesMax);
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
