package io.packhorse.benchmarks.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.cell.PointBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ValueFileTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void takesTheLastWordOfEachLine() throws IOException {
    CellCase cells =
        read("time;value\n1;2.5\n2014-07-01 00:00:00,3\n\nNaN\n 4 \n7, -0.0\n").blocks(4);
    PointBlock expected = new PointBlock();
    double[] values = {2.5, 3, 4, -0.0};
    for (int i = 0; i < values.length; i++) {
      expected.addDouble(i * 900_000, Double.doubleToRawLongBits(values[i]));
    }
    assertEquals("real-4", cells.name());
    assertEquals(List.of(expected), cells.blocks());
  }

  @Test
  void keepsIntegersAndLeavesOutWhatDoesNotFillABlock() throws IOException {
    CellCase cells = read("1\n2\n3\n4\n-5\n6\n7\n8\n9\n").blocks(4);
    assertEquals(2, cells.blocks().size());
    assertEquals(0, cells.blocks().get(1).doubles());
    assertEquals(-5, cells.blocks().get(1).values()[0]);
  }

  @Test
  void makesOneBlockOfFewValues() throws IOException {
    assertEquals(5, read("1\n2\n3\n4\n5\n").blocks(3600).points());
  }

  @Test
  void refusesAFileWithoutValues() {
    IOException told = assertThrows(IOException.class, () -> read("a\n1\n"));
    assertTrue(told.toString().contains("has 1 lines that end in a number"), told.toString());
  }

  private ValueFile read(String text) throws IOException {
    return new ValueFile("real", Files.writeString(directory.resolve("values.txt"), text));
  }
}
