package io.packhorse.patches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packhorse.patches.PatchSeries.FileDiff;
import io.packhorse.patches.PatchSeries.SeriesException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of application, on small files. */
final class PatchSeriesTest {
  private static final String FILE = "a\nb\nc\nd\ne\n";

  @Test
  void replacesLinesWhereTheHunkSays() throws SeriesException {
    assertEquals(
        "a\nB\nB2\nc\nd\ne\n", apply(FILE, "@@ -1,3 +1,4 @@", " a", "-b", "+B", "+B2", " c"));
  }

  @Test
  void appliesSeveralHunks() throws SeriesException {
    assertEquals(
        "a\nx\nb\nc\nd\n",
        apply(FILE, "@@ -1,2 +1,3 @@ class A {", " a", "+x", " b", "@@ -4,2 +5 @@", " d", "-e"));
  }

  @Test
  void insertsWithoutContextAfterTheNamedLine() throws SeriesException {
    assertEquals("a\nb\nx\nc\nd\ne\n", apply(FILE, "@@ -2,0 +3 @@", "+x"));
  }

  @Test
  void removesLinesThatLookLikeFileHeaders() throws SeriesException {
    assertEquals("a\nb\n", apply("a\n-- a/x\nb\n", "@@ -1,3 +1,2 @@", " a", "--- a/x", " b"));
  }

  @Test
  void keepsAMissingLastNewline() throws SeriesException {
    assertEquals("A\nb", apply("a\nb", "@@ -1 +1 @@", "-a", "+A"));
  }

  @Test
  void rejectsAHunkOneLineAway() {
    rejects("p: F.java line 3: expected \"b\", found \"c\"", "@@ -3,2 +3,1 @@", "-b", " c");
  }

  @Test
  void rejectsContextThatDiffers() {
    rejects("p: F.java line 1: expected \"z\", found \"a\"", "@@ -1,2 +1,1 @@", " z", "-b");
  }

  @Test
  void rejectsAResultOffItsPlace() {
    rejects(
        "p: hunk of F.java is off its place: expected line=2, found line=3",
        "@@ -2 +3 @@",
        "-b",
        "+B");
  }

  @Test
  void rejectsHunksOutOfOrder() {
    rejects(
        "p: hunk outside of F.java: line=1, lines=6",
        "@@ -3 +3 @@",
        "-c",
        "+C",
        "@@ -1 +1 @@",
        "-a",
        "+A");
  }

  @Test
  void rejectsAHunkAfterTheEnd() {
    rejects("p: hunk outside of F.java: line=9, lines=6", "@@ -9 +9 @@", "-i", "+I");
  }

  @Test
  void rejectsAHunkShorterThanItSays() {
    rejects("p: a hunk's line must begin with ' ', '-' or '+': line=7", "@@ -1,2 +1,2 @@", " a");
  }

  @Test
  void rejectsAHunkLongerThanItSays() {
    rejects("p: expected \"--- a/\" and an existing file: line=7", "@@ -1 +1 @@", " a", " b");
  }

  @Test
  void rejectsStrippedBlankContext() {
    rejects(
        "p: a hunk's line must begin with ' ', '-' or '+': line=7",
        "@@ -1,3 +1,2 @@",
        " a",
        "",
        "-c");
  }

  @Test
  void rejectsNewFiles() {
    SeriesException e =
        assertThrows(
            SeriesException.class,
            () ->
                PatchSeries.parse("p", List.of("--- /dev/null", "+++ b/N.java", "@@ -0,0 +1 @@")));
    assertEquals("p: expected \"--- a/\" and an existing file: line=1", e.getMessage());
  }

  @Test
  void rejectsAPatchWithoutADiff() {
    SeriesException e =
        assertThrows(
            SeriesException.class, () -> PatchSeries.parse("p", List.of("Subject: nothing", "")));
    assertEquals("p: no diff in it: line=1", e.getMessage());
  }

  private static void rejects(String message, String... hunks) {
    SeriesException e = assertThrows(SeriesException.class, () -> apply(FILE, hunks));
    assertEquals(message, e.getMessage());
  }

  private static String apply(String file, String... hunks) throws SeriesException {
    String patch = "Subject: s\n\n--- a/F.java\n+++ b/F.java\n" + String.join("\n", hunks) + "\n";
    List<FileDiff> diffs = PatchSeries.parse("p", PatchSeries.lines(patch));
    assertEquals(1, diffs.size());
    assertEquals("F.java", diffs.get(0).path());
    return String.join("\n", PatchSeries.apply("p", diffs.get(0), PatchSeries.lines(file)));
  }
}
