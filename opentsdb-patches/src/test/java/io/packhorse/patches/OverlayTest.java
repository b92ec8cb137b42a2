package io.packhorse.patches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What goes into the overlay jar: the changed classes, ours, and what the TSD looks for. */
final class OverlayTest {
  private static final Path CLASSES = Path.of("target/classes");

  @Test
  void holdsExactlyTheChangedClassesAndOurs() throws Exception {
    Set<String> topLevel =
        files()
            .filter(name -> name.endsWith(".class"))
            .map(name -> name.substring(0, name.length() - ".class".length()))
            .map(name -> name.contains("$") ? name.substring(0, name.indexOf('$')) : name)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> expected = new TreeSet<>();
    Path ours = Path.of("src/main/java");
    try (Stream<Path> sources = Files.walk(ours)) {
      sources
          .filter(Files::isRegularFile)
          .forEach(source -> expected.add(withoutEnding(ours.relativize(source).toString())));
    }
    Path patches = Path.of("patches");
    for (String name : PatchSeries.series(patches)) {
      List<String> lines = PatchSeries.lines(Files.readString(patches.resolve(name)));
      for (PatchSeries.FileDiff diff : PatchSeries.parse(name, lines)) {
        expected.add(withoutEnding(diff.path()));
      }
    }
    assertEquals(expected, topLevel);
  }

  private static String withoutEnding(String file) {
    return file.substring(0, file.lastIndexOf('.'));
  }

  @Test
  void holdsThePageTheLogSettingsTheLicenceAndTheListOfPatches() throws IOException {
    assertEquals(
        new TreeSet<>(
            List.of(
                "META-INF/LICENSE",
                "META-INF/packhorse-patches.txt",
                "logback.xml",
                "net/opentsdb/tsd/page/ask.mjs",
                "net/opentsdb/tsd/page/chart.mjs",
                "net/opentsdb/tsd/page/combobox.mjs",
                "net/opentsdb/tsd/page/form.mjs",
                "net/opentsdb/tsd/page/icon.svg",
                "net/opentsdb/tsd/page/index.html",
                "net/opentsdb/tsd/page/points.mjs",
                "net/opentsdb/tsd/page/query.css",
                "net/opentsdb/tsd/page/query.mjs",
                "net/opentsdb/tsd/page/table.mjs",
                "net/opentsdb/tsd/page/uPlot.LICENSE",
                "net/opentsdb/tsd/page/uPlot.iife.min.js",
                "net/opentsdb/tsd/page/uPlot.min.css")),
        files()
            .filter(name -> !name.endsWith(".class"))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void listOfPatchesNamesTheBaseAndTheWholeSeries() throws IOException {
    List<String> lines = Files.readAllLines(CLASSES.resolve("META-INF/packhorse-patches.txt"));
    assertTrue(
        lines.get(0).matches("base opentsdb-2\\.4\\.1-sources\\.jar [0-9a-f]{64}"), lines.get(0));
    assertEquals(
        PatchSeries.series(Path.of("patches")),
        lines.stream().skip(1).map(line -> line.split(" ", 3)[1]).toList());
  }

  private static Stream<String> files() throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(CLASSES)) {
      all = walk.filter(Files::isRegularFile).toList();
    }
    return all.stream().map(file -> CLASSES.relativize(file).toString());
  }
}
