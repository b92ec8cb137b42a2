package io.packhorse.benchmarks.cells;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * zstd at level 3 over the values, eight bytes each, and if wanted over the times after them, four
 * bytes each; the count is not stored.
 */
final class ZstdCodec implements CellCodec<byte[]> {
  private static final int LEVEL = 3;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final boolean withTimes;

  // They live as long as the process.
  private final ZstdCompressCtx compressor = new ZstdCompressCtx();
  private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
  private byte[] raw = new byte[0];
  private byte[] packed = new byte[0];

  ZstdCodec(boolean withTimes) {
    this.withTimes = withTimes;
    compressor.setLevel(LEVEL);
  }

  @Override
  public String system() {
    return withTimes ? "zstd-with-times" : "zstd";
  }

  @Override
  public boolean keepsTimes() {
    return withTimes;
  }

  @Override
  public byte[] encode(PointBlock block) {
    int count = block.count();
    makeRoom(count);
    long[] values = block.values();
    for (int i = 0; i < count; i++) {
      LONG.set(raw, i * Long.BYTES, values[i]);
    }
    if (withTimes) {
      int[] offsetsMs = block.offsetsMs();
      for (int i = 0; i < count; i++) {
        INT.set(raw, count * Long.BYTES + i * Integer.BYTES, offsetsMs[i]);
      }
    }
    int length = compressor.compressByteArray(packed, 0, packed.length, raw, 0, rawBytes(count));
    return java.util.Arrays.copyOf(packed, length);
  }

  @Override
  public void decode(byte[] stored, PointBlock into) throws IOException {
    int count = into.count();
    makeRoom(count);
    int length = decompressor.decompressByteArray(raw, 0, raw.length, stored, 0, stored.length);
    if (length != rawBytes(count)) {
      throw new IOException("zstd gave back " + length + " bytes for " + count + " points");
    }
    long[] values = into.values();
    for (int i = 0; i < count; i++) {
      values[i] = (long) LONG.get(raw, i * Long.BYTES);
    }
    if (withTimes) {
      int[] offsetsMs = into.offsetsMs();
      for (int i = 0; i < count; i++) {
        offsetsMs[i] = (int) INT.get(raw, count * Long.BYTES + i * Integer.BYTES);
      }
    }
  }

  private int rawBytes(int points) {
    return points * (withTimes ? Long.BYTES + Integer.BYTES : Long.BYTES);
  }

  private void makeRoom(int points) {
    if (raw.length < rawBytes(points)) {
      raw = new byte[rawBytes(points)];
      packed = new byte[(int) com.github.luben.zstd.Zstd.compressBound(raw.length)];
    }
  }

  @Override
  public long bytes(byte[] stored) {
    return stored.length;
  }
}
