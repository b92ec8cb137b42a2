package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * The encoder writes what it wrote before. It may learn to write less, which is no change of the
 * format; then the file changes with it, on purpose.
 */
class EncodedBytesTest {
  private static final Path FILE = Path.of("src", "test", "resources", "vectors", "encoded.txt");

  /** Shapes that DEFLATE does not serve, whose bytes are the JDK's own business. */
  private static final List<String> WITHOUT_DEFLATE =
      List.of("walk50", "w2", "b_iot", "b_anom", "b_d2", "c_tsbs", "c_fp2", "e_gaps_s");

  private static final List<String> EDGES_WITHOUT_DEFLATE =
      List.of(
          "uniform",
          "walk",
          "curve",
          "outliers",
          "blocks",
          "steps",
          "runs",
          "lengths",
          "bell",
          "slope",
          "decimals",
          "floats",
          "floats and others",
          "split");

  private static final int EDGES = 150;

  @Test
  void theEncoderWritesTheSameBytes() throws IOException {
    StringBuilder found = new StringBuilder();
    for (String shape : Shapes.ALL) {
      for (int points : new int[] {3600, 60, 4}) {
        append(found, Effort.FAST, shape, points);
      }
    }
    for (String shape : WITHOUT_DEFLATE) {
      for (int points : new int[] {3600, 60}) {
        append(found, Effort.COMPACT, shape, points);
      }
    }
    for (int seed = 1; seed <= 4; seed++) {
      Stream<PointBlock> blocks = BlockShapes.all(seed).stream().map(BlockShapes.Shape::block);
      append(found, Effort.FAST, "seed " + seed, blocks);
    }
    for (String kind : BlockEdges.VALUES) {
      append(found, Effort.FAST, "edges of " + kind, BlockEdges.blocks(kind, EDGES));
    }
    for (String kind : BlockEdges.TIMES) {
      append(found, Effort.FAST, "edges of " + kind, BlockEdges.blocks(kind, EDGES));
    }
    for (String kind : EDGES_WITHOUT_DEFLATE) {
      append(found, Effort.COMPACT, "edges of " + kind, BlockEdges.blocks(kind, EDGES));
    }
    assertEquals(Files.readString(FILE), found.toString(), "if it is meant, write it to " + FILE);
  }

  private static void append(StringBuilder to, Effort effort, String shape, int points) {
    append(to, effort, shape + " " + points, Shapes.blocks(shape, points, 1).stream().limit(40));
  }

  /** Effort, what it is, bytes in all and their CRC32: the cells end with a CRC32C of their own. */
  private static void append(
      StringBuilder to, Effort effort, String name, Stream<PointBlock> blocks) {
    PackedCellEncoder encoder = new PackedCellEncoder(effort);
    CRC32 crc = new CRC32();
    long bytes = 0;
    for (PointBlock block : (Iterable<PointBlock>) blocks::iterator) {
      byte[] cell = encoder.encode(block);
      crc.update(cell);
      bytes += cell.length;
    }
    to.append("%s %s: %d bytes, %08x\n".formatted(effort, name, bytes, crc.getValue()));
  }
}
