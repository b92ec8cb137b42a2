package net.opentsdb.core;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.hbase.async.KeyValue;

/** Cells of one row as HBase returns them. */
final class Cells {
  /** Metric 1, base time 2013-01-01T00:00Z, tag 1=1. */
  static final byte[] ROW = HexFormat.of().parseHex("00000150e22700000001000001");

  static final long BASE_MS = 0x50e22700L * 1000;

  private static final byte[] P = {'p'};

  private Cells() {}

  /** Integers at the given offsets, each of value {@code first + its index}. */
  static PointBlock longs(long first, int... offsetsMs) {
    PointBlock block = new PointBlock(offsetsMs.length);
    for (int i = 0; i < offsetsMs.length; i++) {
      block.addLong(offsetsMs[i], first + i);
    }
    return block;
  }

  static KeyValue packed(PointBlock block, int loaderId, int part, long cellTimestamp) {
    return new KeyValue(
        ROW,
        P,
        new PackedQualifier(loaderId, part).toBytes(),
        cellTimestamp,
        new PackedCellEncoder().encode(block));
  }

  /** A plain column for one point, a compacted one for several. */
  static KeyValue plain(PointBlock block, long cellTimestamp) {
    ByteWriter qualifier = new ByteWriter(0);
    ByteWriter value = new ByteWriter(0);
    CompactedCell.encode(block, qualifier, value);
    return new KeyValue(
        ROW, TSDB.FAMILY(), qualifier.toByteArray(), cellTimestamp, value.toByteArray());
  }

  /** An append column that got the blocks' points in this order. */
  static KeyValue appended(long cellTimestamp, PointBlock... blocks) {
    ByteWriter value = new ByteWriter(0);
    for (PointBlock block : blocks) {
      for (int i = 0; i < block.count(); i++) {
        PointBlock one = new PointBlock(1);
        one.add(block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
        KeyValue cell = plain(one, cellTimestamp);
        value.writeBytes(cell.qualifier(), 0, cell.qualifier().length);
        value.writeBytes(cell.value(), 0, cell.value().length);
      }
    }
    return new KeyValue(
        ROW, TSDB.FAMILY(), new byte[] {5, 0, 0}, cellTimestamp, value.toByteArray());
  }

  static KeyValue annotation(String description) {
    String json =
        "{\"tsuid\":\"000001000001000001\",\"startTime\":1356998400,\"description\":\""
            + description
            + "\"}";
    return new KeyValue(
        ROW, TSDB.FAMILY(), new byte[] {1, 0, 0}, 1, json.getBytes(StandardCharsets.UTF_8));
  }
}
