package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PackedCellDumpTest {
  private static final Path DUMPS = Path.of("src", "test", "resources", "vectors", "dumps.txt");

  @Test
  void coversEveryByteOfEveryShapeOnce() throws MalformedCellException {
    PackedCellEncoder encoder = new PackedCellEncoder();
    Set<String> times = new HashSet<>();
    Set<String> values = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        PackedCellDump dump = assertCovered(encoder.encode(shape.block()), shape + " " + seed);
        times.add(dump.times());
        values.add(dump.values());
      }
    }
    assertTrue(times.size() >= 5, times.toString());
    assertTrue(values.size() >= 12, values.toString());
  }

  /** Regular ones from a later second on, and runs of just so many whole blocks of 128. */
  @Test
  void coversEveryByteAtTheEdges() throws MalformedCellException {
    PackedCellEncoder encoder = new PackedCellEncoder();
    for (String kind : new String[] {"regular", "blocks", "outliers"}) {
      for (PointBlock block : BlockEdges.blocks(kind, 100).toList()) {
        assertCovered(encoder.encode(block), kind + " " + block);
      }
    }
  }

  private static PackedCellDump assertCovered(byte[] cell, String message)
      throws MalformedCellException {
    PackedCellDump dump = PackedCellDump.of(cell);
    int end = 0;
    for (CellField field : dump.fields()) {
      assertEquals(end, field.from(), message + ": " + field);
      end = field.to();
      assertFalse(field.name().isEmpty() || field.meaning().isEmpty(), field.toString());
    }
    assertEquals(cell.length, end, message);
    return dump;
  }

  @Test
  void tellsARegularHourOfOneWalk() throws MalformedCellException {
    SplittableRandom random = new SplittableRandom(1);
    PointBlock block = new PointBlock();
    long value = 0;
    for (int i = 0; i < 3600; i++) {
      value += random.nextInt(101) - 50;
      block.addLong(i * 1000, value);
    }
    PackedCellDump dump = PackedCellDump.of(new PackedCellEncoder().encode(block));
    assertEquals("full hour", dump.times());
    assertEquals("differences, radix", dump.values());
    assertEquals(
        List.of(
            "version",
            "flags",
            "time byte",
            "statistics",
            "check",
            "integers",
            "first",
            "min",
            "radix",
            "words",
            "checksum"),
        dump.fields().stream().map(CellField::name).toList());
    assertEquals("101", dump.fields().get(8).meaning());
    assertEquals("integers, seconds, statistics, checksum", dump.fields().get(1).meaning());
  }

  /** Readers take a value in more bytes than it needs: here the integer 1 in two. */
  @Test
  void plainValuesBeginWhereTheReaderFindsThem() throws MalformedCellException {
    PackedCellDump dump = PackedCellDump.of(HexFormat.of().parseHex("A18385030100"));
    CellField values = dump.fields().get(3);
    assertEquals("values 4-6", values.name() + " " + values.from() + "-" + values.to());
  }

  /** Each valid vector in words; a new vector adds its lines here. */
  @Test
  void tellsEveryVectorInTheSameWords() throws Exception {
    StringBuilder found = new StringBuilder();
    for (Vector vector : Vector.all("valid")) {
      PackedCellDump dump = PackedCellDump.of(vector.cell());
      found.append("%s: %s; %s\n".formatted(vector.file(), dump.times(), dump.values()));
      for (CellField field : dump.fields()) {
        found.append(
            "  %d-%d %s: %s\n".formatted(field.from(), field.to(), field.name(), field.meaning()));
      }
    }
    assertEquals(Files.readString(DUMPS), found.toString(), "if it is meant, write it to " + DUMPS);
  }

  @Test
  void refusesWhatIsNoCell() {
    MalformedCellException told =
        assertThrows(MalformedCellException.class, () -> PackedCellDump.of(new byte[] {1, 2, 3}));
    assertEquals(0, told.offset());
  }
}
