package io.packhorse.benchmarks.cells;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;

/** OpenTSDB's compacted column: qualifiers, which hold the times, and value. */
final class CompactedCodec implements CellCodec<CompactedCodec.Column> {
  private final ByteWriter qualifier = new ByteWriter(7200);
  private final ByteWriter value = new ByteWriter(14_401);

  /** What HBase would hold beside the row key. */
  record Column(byte[] qualifier, byte[] value) {}

  @Override
  public String system() {
    return "opentsdb-compacted";
  }

  @Override
  public boolean keepsKinds() {
    return true;
  }

  @Override
  public Column encode(PointBlock block) {
    qualifier.reset();
    value.reset();
    CompactedCell.encode(block, qualifier, value);
    return new Column(qualifier.toByteArray(), value.toByteArray());
  }

  @Override
  public void decode(Column column, PointBlock into) throws MalformedCellException {
    CompactedCell.decode(column.qualifier, column.value, into);
  }

  @Override
  public long bytes(Column column) {
    return (long) column.qualifier.length + column.value.length;
  }
}
