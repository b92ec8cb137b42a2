package io.packhorse.benchmarks.cells;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;

/** The packed cell: its whole value, times, header and checksum included. */
final class PackedCodec implements CellCodec<byte[]> {
  private final PackedCellEncoder encoder = new PackedCellEncoder();
  private final PackedCellDecoder decoder = new PackedCellDecoder();

  @Override
  public String system() {
    return "packhorse";
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
