package io.packhorse.loader.source.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Rejects.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RejectsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void makesNoFileWithoutRejects() throws IOException {
    Path file = directory.resolve("rejects.tsv");
    new Rejects(file).close();
    assertFalse(Files.exists(file));
  }

  @Test
  void replacesAnOlderFile() throws IOException {
    Path file = directory.resolve("rejects.tsv");
    Files.writeString(file, "old\n");
    try (Rejects rejects = new Rejects(file)) {
      add(rejects, 1, Reason.NO_TAG, "m 1 2");
    }
    assertEquals(List.of("in\t1\t10\t" + Reason.NO_TAG + "\tm 1 2"), Files.readAllLines(file));
  }

  @Test
  void escapesWhatWouldBreakAColumn() throws IOException {
    Path file = directory.resolve("rejects.tsv");
    try (Rejects rejects = new Rejects(file)) {
      add(rejects, 1, Reason.NOT_UTF_8, "a\tb\\c\rd\0e\u00e9\u007f\u001b[31m");
    }
    String line = Files.readAllLines(file).get(0);
    assertTrue(line.endsWith("\ta\\tb\\\\c\\rd\\x00e\\xe9\\x7f\\x1b[31m"), line);
  }

  @Test
  void cutsLongLines() throws IOException {
    Path file = directory.resolve("rejects.tsv");
    try (Rejects rejects = new Rejects(file)) {
      add(rejects, 1, Reason.LINE_TOO_LONG, "x".repeat(5000));
      assertTrue(rejects.first().get(0).length() < 300);
    }
    assertTrue(Files.readAllLines(file).get(0).endsWith("\t" + "x".repeat(1024)));
  }

  @Test
  void aFullFileSaysSoOnceAlsoWhenOpenedAgain() throws IOException {
    Path file = directory.resolve("rejects.tsv");
    for (int run = 1; run <= 2; run++) {
      try (Rejects rejects = Rejects.appended(file, 40)) {
        for (int line = 1; line <= 3; line++) {
          add(rejects, line, Reason.NO_TAG, "m x");
        }
        assertEquals(3, rejects.total());
        assertEquals(run == 1 ? 2 : 3, rejects.unwritten());
      }
    }
    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(1).contains("the file is full"));
  }

  @Test
  void countsByReasonAndShowsTheFirstFew() throws IOException {
    try (Rejects rejects = new Rejects(directory.resolve("rejects.tsv"))) {
      for (int line = 1; line <= 7; line++) {
        add(rejects, line, line % 2 == 0 ? Reason.NO_TAG : Reason.VALUE_MALFORMED, "m x");
      }
      assertEquals(7, rejects.total());
      assertEquals(Map.of(Reason.VALUE_MALFORMED, 4L, Reason.NO_TAG, 3L), rejects.byReason());
      assertEquals(5, rejects.first().size());
      assertEquals("in:1 (byte 10): value is not a number: m x", rejects.first().get(0));
    }
  }

  @Test
  void saysThatItsFileCannotBeWritten() throws IOException {
    Path file = directory.resolve("missing").resolve("rejects.tsv");
    try (Rejects rejects = new Rejects(file)) {
      InputException e =
          assertThrows(InputException.class, () -> add(rejects, 1, Reason.NO_TAG, "m"));
      assertTrue(String.valueOf(e.getMessage()).contains(file.toString()), e::toString);
    }
  }

  @Test
  void hasReasonsWithoutTabs() {
    for (Reason reason : Reason.values()) {
      assertFalse(reason.toString().contains("\t"));
    }
  }

  private static void add(Rejects rejects, long line, Reason reason, String text)
      throws InputException {
    byte[] bytes = text.getBytes(ISO_8859_1);
    rejects.add("in", line, 10, reason, bytes, 0, bytes.length);
  }
}
