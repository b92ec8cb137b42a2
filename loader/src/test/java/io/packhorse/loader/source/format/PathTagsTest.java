package io.packhorse.loader.source.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.influx.FieldRules;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.table.TableOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PathTagsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void aFileGivesItsNameWithoutItsEnding() throws Exception {
    Map<String, String> names =
        Map.of(
            "a.csv", "a",
            "a.csv.gz", "a",
            "ambient.v2.csv.zst", "ambient.v2",
            "machine-1.1.txt", "machine-1.1",
            "machine-1.1", "machine-1.1",
            "PLAIN", "PLAIN",
            ".csv", ".csv");
    for (Map.Entry<String, String> each : names.entrySet()) {
      assertEquals(
          Map.of("sensor", each.getValue(), "site", "oslo-oslo"),
          tags(
              "data/oslo/" + each.getKey(),
              added(Map.of("sensor", "{file}", "site", "{dir}-{dir}"))));
    }
  }

  @Test
  void foldersNamedKeyAndValueAreTags() throws Exception {
    SourceSpec spec = spec(SeriesRules.NONE);
    PathTags found =
        PathTags.of(
            spec,
            "x",
            Optional.of(
                Path.of("/d/site=oslo/year=2024/day=monday/s=__HIVE_DEFAULT_PARTITION__/x")));
    assertEquals(Map.of("site", "oslo", "day", "monday"), found.tags());
    assertEquals(List.of("year=2024"), found.notTags());
    SeriesRules rules =
        new SeriesRules(
            Map.of(), Map.of("a", "b"), Map.of(), Set.of("c"), Map.of(), false, 8, 0, 1L << 60);
    assertEquals(Map.of("b", "1"), tags("a=1/c=x y/file.csv", spec(rules)));
  }

  @Test
  void namedGroupsAreTags() throws Exception {
    String pattern = "(?<site>[^/]+)/(?<sensor>[^/]+)[.]csv";
    assertEquals(
        Map.of("site", "oslo", "sensor", "s1"), tags("far/away/oslo/s1.csv", pattern(pattern)));
    assertRefused("does not fit the end of", "oslo/s1.txt", pattern(pattern));
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> PathTags.checkPattern("[^/]+"));
    assertTrue(String.valueOf(thrown.getMessage()).contains("needs a named group"));
  }

  @Test
  void aPatternThatGoesBackAndForthEnds() throws Exception {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () ->
            assertRefused(
                "takes too long", "a".repeat(200) + "!", pattern("(?<x>(a+)+(b+)*(a+)+)[.]csv")));
  }

  @Test
  void namesThatCannotBeStoredAreRefusedOrReplacedAsOthersAre() throws Exception {
    assertRefused(
        "the path of site=T 1/a.csv gives the tag site=T 1, but OpenTSDB's names cannot have ' ';"
            + " --replace-characters stores T_1; --drop-tag site leaves the tag out",
        "site=T 1/a.csv",
        spec(SeriesRules.NONE));
    assertRefused("cannot have '('", "a(2).csv", added(Map.of("sensor", "{file}")));
    assertRefused(
        "cannot have 'λ', which is not in ISO-8859-1", "λ.csv", added(Map.of("s", "{file}")));
    SeriesRules replacing =
        new SeriesRules(
            Map.of(), Map.of(), Map.of("s", "{file}"), Set.of(), Map.of(), true, 8, 0, 1L << 60);
    assertEquals(Map.of("site", "T_1", "s", "a_b"), tags("site=T%201/a b.csv", spec(replacing)));
  }

  @Test
  void anInputWithoutAPathCannotGiveOne() throws Exception {
    InputException thrown =
        assertThrows(
            InputException.class,
            () -> PathTags.of(added(Map.of("s", "{file}")), "(standard input)", Optional.empty()));
    assertTrue(String.valueOf(thrown.getMessage()).contains("has no path"), thrown::toString);
    assertEquals(
        Map.of("a", "b"),
        PathTags.of(added(Map.of("a", "b")), "(standard input)", Optional.empty()).tags());
  }

  @Test
  void eachFileHasItsOwnTagsAndTheRecordsOwnCountMore() throws Exception {
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Path file = directory.resolve("room=" + i % 2).resolve("s" + i + ".csv");
      Files.createDirectories(file.getParent());
      Files.writeString(
          file,
          "time,v" + (i == 7 ? ",s" : "") + "\n1700000000," + i + (i == 7 ? ",own" : "") + "\n");
      inputs.add(Input.ofFile(file.toString(), file));
    }
    Reading read = Reading.of(added(Map.of("s", "{file}")), inputs);
    assertEquals(200, read.points().size());
    for (int i = 0; i < 200; i++) {
      String name = i == 7 ? "own" : "s" + i;
      assertEquals(
          "v{room=" + i % 2 + ",s=" + name + "}", read.points().get(i).series().toString());
      assertEquals(i, read.points().get(i).bits());
    }
  }

  @Test
  void aMetricMayBeginWithTheFile() throws Exception {
    Path file = Files.writeString(directory.resolve("pump.csv"), "time,v\n1700000000,1\n");
    SourceSpec spec = spec(SeriesRules.NONE.with(Map.of("a", "b"), "{file}."));
    Reading read = Reading.of(spec, List.of(Input.ofFile("pump.csv", file)));
    assertEquals("pump.v{a=b}", read.points().get(0).series().toString());
  }

  private static void assertRefused(String why, String file, SourceSpec spec) {
    InputException thrown = assertThrows(InputException.class, () -> tags(file, spec));
    assertTrue(String.valueOf(thrown.getMessage()).contains(why), thrown::toString);
  }

  private static Map<String, String> tags(String file, SourceSpec spec) throws InputException {
    return PathTags.of(spec, file, Optional.of(Path.of("/data").resolve(file))).tags();
  }

  private static SourceSpec added(Map<String, String> tags) {
    return spec(SeriesRules.NONE.with(tags, ""));
  }

  private static SourceSpec pattern(String pattern) {
    return new SourceSpec(
        Optional.empty(),
        Optional.empty(),
        SeriesRules.NONE,
        TableOptions.NONE,
        FieldRules.REJECT,
        List.of(pattern));
  }

  private static SourceSpec spec(SeriesRules rules) {
    return new SourceSpec(Optional.empty(), Optional.empty(), rules);
  }
}
