package io.packhorse.benchmarks.cells;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.Effort;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.List;

/** The packed cell: its whole value, times, header and checksum included. */
final class PackedCodec implements CellCodec<byte[]> {
  private final String system;
  private final PackedCellEncoder encoder;
  private final PackedCellDecoder decoder = new PackedCellDecoder();

  private PackedCodec(String system, PackedCellEncoder encoder) {
    this.system = system;
    this.encoder = encoder;
  }

  /** One for each effort. */
  static List<PackedCodec> all() {
    return List.of(
        new PackedCodec("packhorse-fast", new PackedCellEncoder(Effort.FAST)),
        new PackedCodec("packhorse-compact", new PackedCellEncoder(Effort.COMPACT)));
  }

  @Override
  public String system() {
    return system;
  }

  @Override
  public boolean keepsKinds() {
    return true;
  }

  @Override
  public byte[] encode(PointBlock block) {
    return encoder.encode(block);
  }

  @Override
  public void decode(byte[] cell, PointBlock into) throws MalformedCellException {
    decoder.decode(cell, into);
  }

  @Override
  public int qualifierBytes() {
    return PackedQualifier.LENGTH;
  }

  @Override
  public long bytes(byte[] cell) {
    return cell.length;
  }
}
