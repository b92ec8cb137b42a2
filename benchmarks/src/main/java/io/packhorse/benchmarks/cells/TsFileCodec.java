package io.packhorse.benchmarks.cells;

import io.packhorse.schema.cell.PointBlock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.tsfile.encoding.decoder.Decoder;
import org.apache.tsfile.encoding.encoder.Encoder;
import org.apache.tsfile.encoding.encoder.TSEncodingBuilder;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.file.metadata.enums.TSEncoding;

/**
 * Apache TsFile's own encoders: times as TS_2DIFF, which is its default, in seconds where all are
 * whole ones; values in one of its encodings. Headers of chunks and pages, which hold the count,
 * are left out, and so is the compression of pages.
 */
final class TsFileCodec implements CellCodec<TsFileCodec.Columns> {
  private final TsFileEncoding encoding;
  private final Encoder timeEncoder;
  private final Encoder valueEncoder;
  private final Decoder timeDecoder;
  private final Decoder valueDecoder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);

  /** A page's two columns and the unit of its times. */
  record Columns(int unitMs, byte[] times, byte[] values) {}

  TsFileCodec(TsFileEncoding encoding) {
    this.encoding = encoding;
    timeEncoder = encoder(TSEncoding.TS_2DIFF, -1, TSDataType.INT32);
    timeDecoder = Decoder.getDecoderByType(TSEncoding.TS_2DIFF, TSDataType.INT32);
    valueEncoder = encoder(encoding.encoding(), encoding.decimals(), encoding.type());
    valueDecoder = Decoder.getDecoderByType(encoding.encoding(), encoding.type());
  }

  private static Encoder encoder(TSEncoding encoding, int decimals, TSDataType type) {
    TSEncodingBuilder builder = TSEncodingBuilder.getEncodingBuilder(encoding);
    if (decimals >= 0) {
      builder.initFromProps(Map.of(Encoder.MAX_POINT_NUMBER, Integer.toString(decimals)));
    }
    return builder.getEncoder(type);
  }

  @Override
  public String system() {
    return "tsfile";
  }

  @Override
  public Columns encode(PointBlock block) throws IOException {
    int count = block.count();
    int[] offsets = block.offsetsMs();
    long[] bits = block.values();
    int unitMs = GorillaCodec.wholeSeconds(offsets, count) ? 1000 : 1;
    out.reset();
    for (int i = 0; i < count; i++) {
      timeEncoder.encode(offsets[i] / unitMs, out);
    }
    timeEncoder.flush(out);
    byte[] times = out.toByteArray();
    out.reset();
    switch (encoding.type()) {
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          valueEncoder.encode((int) bits[i], out);
        }
      }
      case INT64 -> {
        for (int i = 0; i < count; i++) {
          valueEncoder.encode(bits[i], out);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          valueEncoder.encode(Double.longBitsToDouble(bits[i]), out);
        }
      }
    }
    valueEncoder.flush(out);
    return new Columns(unitMs, times, out.toByteArray());
  }

  @Override
  public void decode(Columns columns, PointBlock into) {
    int count = into.count();
    int[] offsets = into.offsetsMs();
    long[] bits = into.values();
    timeDecoder.reset();
    ByteBuffer times = ByteBuffer.wrap(columns.times);
    for (int i = 0; i < count; i++) {
      offsets[i] = timeDecoder.readInt(times) * columns.unitMs;
    }
    valueDecoder.reset();
    ByteBuffer values = ByteBuffer.wrap(columns.values);
    switch (encoding.type()) {
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          bits[i] = valueDecoder.readInt(values);
        }
      }
      case INT64 -> {
        for (int i = 0; i < count; i++) {
          bits[i] = valueDecoder.readLong(values);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          bits[i] = Double.doubleToRawLongBits(valueDecoder.readDouble(values));
        }
      }
    }
    into.filled(count);
  }

  @Override
  public long bytes(Columns columns) {
    return (long) columns.times.length + columns.values.length;
  }
}
