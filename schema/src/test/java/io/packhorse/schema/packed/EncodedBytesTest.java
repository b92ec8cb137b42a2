package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * The encoder writes what it wrote before. It may learn to write less, which is no change of the
 * format; then the file changes with it, on purpose.
 */
class EncodedBytesTest {
  private static final Path FILE = Path.of("src", "test", "resources", "vectors", "encoded.txt");

  private static final int EDGES = 150;

  @Test
  void theEncoderWritesTheSameBytes() throws IOException {
    StringBuilder found = new StringBuilder();
    for (String shape : Shapes.ALL) {
      for (int points : new int[] {3600, 60, 4}) {
        append(found, shape, points);
      }
    }
    for (int seed = 1; seed <= 4; seed++) {
      Stream<PointBlock> blocks = BlockShapes.all(seed).stream().map(BlockShapes.Shape::block);
      append(found, "seed " + seed, blocks);
    }
    for (String kind : BlockEdges.VALUES) {
      append(found, "edges of " + kind, BlockEdges.blocks(kind, EDGES));
    }
    for (String kind : BlockEdges.TIMES) {
      append(found, "edges of " + kind, BlockEdges.blocks(kind, EDGES));
    }
    assertEquals(Files.readString(FILE), found.toString(), "if it is meant, write it to " + FILE);
  }

  private static void append(StringBuilder to, String shape, int points) {
    append(to, shape + " " + points, Shapes.blocks(shape, points, 1).stream().limit(40));
  }

  /** Name, bytes in all and their CRC32: the cells end with a CRC32C of their own. */
  private static void append(StringBuilder to, String name, Stream<PointBlock> blocks) {
    PackedCellEncoder encoder = new PackedCellEncoder();
    CRC32 crc = new CRC32();
    long bytes = 0;
    for (PointBlock block : (Iterable<PointBlock>) blocks::iterator) {
      byte[] cell = encoder.encode(block);
      crc.update(cell);
      bytes += cell.length;
    }
    to.append("%s: %d bytes, %08x\n".formatted(name, bytes, crc.getValue()));
  }
}
