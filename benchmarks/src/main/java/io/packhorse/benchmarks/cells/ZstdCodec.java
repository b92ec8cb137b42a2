package io.packhorse.benchmarks.cells;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** zstd at level 3 over the values alone, eight bytes each; times and count are not stored. */
final class ZstdCodec implements CellCodec<byte[]> {
  private static final int LEVEL = 3;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // They live as long as the process.
  private final ZstdCompressCtx compressor = new ZstdCompressCtx();
  private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
  private byte[] raw = new byte[0];
  private byte[] packed = new byte[0];

  ZstdCodec() {
    compressor.setLevel(LEVEL);
  }

  @Override
  public String system() {
    return "zstd";
  }

  @Override
  public boolean keepsTimes() {
    return false;
  }

  @Override
  public byte[] encode(PointBlock block) {
    int count = block.count();
    makeRoom(count);
    long[] values = block.values();
    for (int i = 0; i < count; i++) {
      LONG.set(raw, i * Long.BYTES, values[i]);
    }
    int length = compressor.compressByteArray(packed, 0, packed.length, raw, 0, count * Long.BYTES);
    return java.util.Arrays.copyOf(packed, length);
  }

  @Override
  public void decode(byte[] stored, PointBlock into) throws IOException {
    int count = into.count();
    makeRoom(count);
    int length = decompressor.decompressByteArray(raw, 0, raw.length, stored, 0, stored.length);
    if (length != count * Long.BYTES) {
      throw new IOException("zstd gave back " + length + " bytes for " + count + " values");
    }
    long[] values = into.values();
    for (int i = 0; i < count; i++) {
      values[i] = (long) LONG.get(raw, i * Long.BYTES);
    }
  }

  private void makeRoom(int points) {
    if (raw.length < points * Long.BYTES) {
      raw = new byte[points * Long.BYTES];
      packed = new byte[(int) com.github.luben.zstd.Zstd.compressBound(raw.length)];
    }
  }

  @Override
  public long bytes(byte[] stored) {
    return stored.length;
  }
}
