package io.packhorse.loader.source.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InputFilesTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void takesFilesInTheOrderTheyAreNamed() throws IOException {
    write("b.txt", "bb");
    write("a.txt", "a");
    List<Input> inputs = inputs("b.txt", "a.txt");
    assertEquals(List.of(path("b.txt"), path("a.txt")), names(inputs));
    assertEquals(List.of(2L, 1L), inputs.stream().map(Input::size).toList());
    try (InputStream in = inputs.get(0).opener().open()) {
      assertArrayEquals(new byte[] {'b', 'b'}, in.readAllBytes());
    }
  }

  @Test
  void takesADirectoryWithAllBelowSortedAndWithoutHiddenFiles() throws IOException {
    for (String name : List.of("d/b.txt", "d/a/2.txt", "d/a/10.txt", "d/.hidden", "d/.git/x")) {
      write(name, "x");
    }
    assertEquals(
        List.of(path("d/a/10.txt"), path("d/a/2.txt"), path("d/b.txt")), names(inputs("d")));
  }

  @Test
  void takesWhatAPatternMatches() throws IOException {
    for (String name : List.of("p/a.gz", "p/b.gz", "p/c.txt", "p/q/d.gz", "p/[x].gz")) {
      write(name, "x");
    }
    assertEquals(
        List.of(path("p/[x].gz"), path("p/a.gz"), path("p/b.gz")), names(inputs("p/*.gz")));
    assertEquals(4, inputs("p/**.gz").size());
    assertEquals(List.of(path("p/a.gz"), path("p/c.txt")), names(inputs("p/{a,c}.*")));
    assertEquals(List.of(path("p/[x].gz")), names(inputs("p/[x].gz")), "a file of that name");
  }

  @Test
  void leavesOutWhatIsExcludedAndSaysHowMuch() throws IOException {
    for (String name : List.of("e/README.md", "e/a/x.csv", "e/a/old/y.csv", "e/b/x.csv")) {
      write(name, "x");
    }
    List<String> all = List.of(path("e"));
    InputFiles.Selection selected = select(all, "*.md", "old", "b/*.csv", "*.txt");
    assertEquals(List.of(path("e/a/x.csv")), names(selected.inputs()));
    assertEquals(
        List.of(
            "1 file by --exclude *.md",
            "1 file by --exclude old",
            "1 file by --exclude b/*.csv",
            "--exclude *.txt fits no file"),
        selected.notes());
    assertEquals(1, selected.searched().size());
    assertEquals(0, select(List.of(path("e/a/x.csv"))).searched().size());
    InputException e = assertThrows(InputException.class, () -> select(all, "*"));
    assertTrue(String.valueOf(e.getMessage()).contains("4 files by --exclude *"), e::toString);
  }

  @Test
  void doesNotFollowALinkToADirectoryAboveIt() throws IOException {
    write("l/a.txt", "x");
    write("l/deep/b.txt", "x");
    Files.createSymbolicLink(directory.resolve("l/self"), directory.resolve("l"));
    Files.createSymbolicLink(directory.resolve("l/other"), directory.resolve("l/deep"));
    InputFiles.Selection selected = select(List.of(path("l")));
    assertEquals(
        List.of(path("l/a.txt"), path("l/deep/b.txt"), path("l/other/b.txt")),
        names(selected.inputs()));
    assertEquals(
        List.of(path("l/self") + " is a link to a directory above it, and was not followed"),
        selected.notes());
  }

  @Test
  void searchesOnlyDirectoriesThatAPatternFits() throws IOException {
    write("n/dir1/x.txt", "x");
    write("n/dir2/x.txt", "x");
    write("n/other/x.txt", "x");
    Files.createSymbolicLink(directory.resolve("n/other/self"), directory.resolve("n"));
    InputFiles.Selection selected = select(List.of(path("n/dir*/x.txt")));
    assertEquals(List.of(path("n/dir1/x.txt"), path("n/dir2/x.txt")), names(selected.inputs()));
    assertEquals(List.of(), selected.notes());
  }

  @Test
  void takesAListOfWordsAndListsInIt() throws IOException {
    write("a.txt", "x");
    write("b c.txt", "x");
    write("more", path("b c.txt") + "\n");
    write("list", "# remark\n\n  " + path("a.txt") + "\n@" + path("more") + "\n");
    assertEquals(List.of(path("a.txt"), path("b c.txt")), names(named("@" + path("list"))));
    write("loop", "@" + path("loop") + "\n");
    assertRefused("is a list in a list", "@" + path("loop"));
  }

  @Test
  void readsStandardInputOnce() throws IOException {
    List<Input> inputs = named("-");
    assertEquals(List.of("(standard input)"), names(inputs));
    assertFalse(inputs.get(0).isPlainFile());
    assertRefused("only once", "-", "-");
  }

  @Test
  void refusesWhatIsNotThere() throws IOException {
    assertRefused("There is no file " + path("gone"), path("gone"));
    assertRefused("An empty argument", "");
    assertRefused("No file matches", path("*.gone"));
    assertRefused("There is no directory", path("gone/*.txt"));
    assertRefused("is not a file name", "nul\0byte");
    assertRefused("There is no file " + path("list"), "@" + path("list"));
    Files.createDirectory(directory.resolve("empty"));
    assertRefused("No file matches", path("empty"));
  }

  @Test
  void neverReadsTheFileThatWillBeWritten() throws IOException {
    Path written = write("d/rejects.tsv", "x");
    write("d/a.txt", "x");
    assertEquals(
        List.of(path("d/a.txt")),
        names(InputFiles.select(List.of(path("d")), written, List.of()).inputs()));
    InputException e =
        assertThrows(
            InputException.class,
            () -> InputFiles.select(List.of(written.toString()), written, List.of()));
    assertTrue(String.valueOf(e.getMessage()).contains("would overwrite"), e::toString);
  }

  private void assertRefused(String why, String... words) {
    InputException e = assertThrows(InputException.class, () -> named(words));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e::toString);
  }

  private List<Input> inputs(String... words) throws IOException {
    return named(Arrays.stream(words).map(this::path).toArray(String[]::new));
  }

  private List<Input> named(String... words) throws IOException {
    return select(List.of(words)).inputs();
  }

  private InputFiles.Selection select(List<String> words, String... exclude) throws IOException {
    return InputFiles.select(words, directory.resolve("none"), List.of(exclude));
  }

  private static List<String> names(List<Input> inputs) {
    return inputs.stream().map(Input::name).toList();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
