package io.packhorse.patches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.patches.PatchSeries.FileDiff;
import io.packhorse.patches.PatchSeries.Hunk;
import io.packhorse.patches.PatchSeries.SeriesException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The patches of this module keep to the rules that README.md states. */
final class SeriesTest {
  private static final Path PATCHES = Path.of("patches");
  private static final List<String> FIELDS =
      List.of(
          "Subject",
          "Description",
          "Origin",
          "Forwarded",
          "Applied-Upstream",
          "Upstream-Files",
          "Tests",
          "Last-Update");

  @Test
  void listsEachPatchOnceAndNoOther() throws IOException {
    List<String> listed = PatchSeries.series(PATCHES);
    try (Stream<Path> files = Files.walk(PATCHES)) {
      Set<String> present =
          files
              .filter(Files::isRegularFile)
              .map(file -> PATCHES.relativize(file).toString())
              .filter(name -> !name.equals("series"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(present, new TreeSet<>(listed));
      assertEquals(present.size(), listed.size());
    }
  }

  @Test
  void headersAreComplete() throws IOException {
    for (String name : PatchSeries.series(PATCHES)) {
      List<String> fields = new ArrayList<>();
      for (String line : read(name)) {
        if (line.startsWith("--- a/")) {
          break;
        }
        if (!line.startsWith(" ")) {
          int colon = line.indexOf(": ");
          assertTrue(colon > 0 && colon + 2 < line.length(), name + ": " + line);
          fields.add(line.substring(0, colon));
        }
      }
      assertEquals(FIELDS, fields, name);
    }
  }

  @Test
  void headersNameTheFilesThatAreChanged() throws Exception {
    for (String name : PatchSeries.series(PATCHES)) {
      String header = String.join(" ", read(name));
      String named =
          header.substring(header.indexOf("Upstream-Files: ") + 16, header.indexOf(" Tests: "));
      List<String> changed =
          PatchSeries.parse(name, read(name)).stream().map(FileDiff::path).toList();
      assertEquals(changed, Arrays.asList(named.strip().split(" +", -1)), name);
    }
  }

  @Test
  void eachChangeIsMarked() throws Exception {
    for (String name : PatchSeries.series(PATCHES)) {
      for (FileDiff diff : PatchSeries.parse(name, read(name))) {
        for (Hunk hunk : diff.hunks()) {
          assertTrue(
              hunk.after().stream().anyMatch(line -> line.contains("// packhorse: ")),
              name + ": " + diff.path() + " line " + (hunk.start() + 1));
        }
      }
    }
  }

  @Test
  void patchesStaySmall() throws Exception {
    Map<String, Integer> added = new HashMap<>();
    for (String name : PatchSeries.series(PATCHES)) {
      String kind = name.startsWith("safe/") ? "safe" : "others";
      for (FileDiff diff : PatchSeries.parse(name, read(name))) {
        for (Hunk hunk : diff.hunks()) {
          int more = hunk.after().size() - hunk.before().size();
          assertTrue(more <= 8, name + ": hunk too long");
          added.merge(kind, Math.max(0, more), Integer::sum);
        }
      }
    }
    assertTrue(added.getOrDefault("safe", 0) <= 90, added.toString());
    assertTrue(added.getOrDefault("others", 0) <= 190, added.toString());
  }

  @Test
  void allApplyExactlyToThePublishedSources() throws Exception {
    Map<String, List<String>> sources = new HashMap<>();
    try (ZipFile jar = new ZipFile("target/opentsdb-2.4.1-sources.jar")) {
      for (String name : PatchSeries.series(PATCHES)) {
        for (FileDiff diff : PatchSeries.parse(name, read(name))) {
          List<String> before = sources.get(diff.path());
          if (before == null) {
            try (var in = jar.getInputStream(jar.getEntry(diff.path()))) {
              before = PatchSeries.lines(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
          }
          sources.put(diff.path(), PatchSeries.apply(name, diff, before));
        }
      }
    }
    assertFalse(sources.isEmpty());
    for (Map.Entry<String, List<String>> source : sources.entrySet()) {
      assertEquals(
          Files.readString(Path.of("target/upstream/patched", source.getKey())),
          String.join("\n", source.getValue()));
    }
  }

  @Test
  void refusesASeriesThatDoesNotFit() throws Exception {
    for (String name : PatchSeries.series(PATCHES)) {
      for (FileDiff diff : PatchSeries.parse(name, read(name))) {
        List<String> moved = new ArrayList<>(List.of("// one line more"));
        moved.addAll(
            PatchSeries.lines(Files.readString(Path.of("target/upstream/sources", diff.path()))));
        assertThrows(SeriesException.class, () -> PatchSeries.apply(name, diff, moved), name);
      }
    }
  }

  private static List<String> read(String name) throws IOException {
    return PatchSeries.lines(Files.readString(PATCHES.resolve(name)));
  }
}
