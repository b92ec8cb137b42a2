package io.packhorse.loader.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.source.format.Format;
import io.packhorse.loader.source.format.SourceSpec;
import io.packhorse.loader.source.generated.ValueKind;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.loader.source.generated.WorkloadHistory;
import io.packhorse.loader.source.generated.WorkloadSeries;
import io.packhorse.loader.source.generated.WorkloadValues;
import io.packhorse.loader.source.record.SeriesRules;
import io.packhorse.loader.source.record.TimestampUnit;
import io.packhorse.loader.source.table.Dst;
import io.packhorse.loader.source.table.TableMapping;
import io.packhorse.loader.source.table.TableOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestTest {
  private static final List<JobInput> INPUTS =
      List.of(new JobInput("a b.txt", "/data/a b.txt", 5, "00"));

  private static final SeriesRules RULES =
      new SeriesRules(
          Map.of("m", "n"),
          Map.of("host", "h"),
          Map.of("dc", "ö"),
          Set.of("rack"),
          Map.of("h", Set.of("a", "b")),
          true,
          12,
          1000,
          2000);

  private static final TableOptions TABLES =
      new TableOptions(
          Optional.of(
              new TableMapping(
                  ";",
                  "'",
                  true,
                  ",",
                  List.of("NA"),
                  new TableMapping.Time("d/M/uuuu HH:mm", "Europe/Oslo", Dst.EARLIER),
                  List.of(
                      new TableMapping.Column("t", TableMapping.Role.TIME, null),
                      new TableMapping.Column("v", TableMapping.Role.VALUE, "plant.v")))),
          Optional.of("iso"),
          "UTC",
          Dst.LATER);

  @TempDir private Path folder = Path.of("");

  private static LoadSettings of(LoadInput input, LoadOutput output) {
    return new LoadSettings(input, output, CellForm.PACKED, 3, false, 10_000, 0, "earlier");
  }

  private void assertKept(LoadSettings settings) throws Exception {
    Manifest manifest = Manifests.of("one", new JobShard(2, 4), settings, INPUTS, "load", "x");
    manifest.write(folder);
    assertEquals(manifest, Manifest.read(folder));
  }

  @Test
  void settingsOfEveryKindAreReadAsTheyWereWritten() throws Exception {
    LoadInput files =
        new LoadInput.Files(
            new SourceSpec(
                Optional.of(Format.CSV), Optional.of(TimestampUnit.MILLISECONDS), RULES, TABLES),
            new RejectBudget(Long.MAX_VALUE, 0.001),
            new RejectBudget(5, 1),
            "/data/rejects.tsv");
    LoadInput walk = new LoadInput.Walk(new WalkSpec("m", 4, 1000, 1_704_067_200, 10, -7, 1, 2));
    assertKept(of(files, new LoadOutput.Puts(PutDurability.SKIP, 1000)));
    assertKept(of(files, new LoadOutput.HFiles(null)));
    assertKept(of(walk, new LoadOutput.HFiles(URI.create("hdfs://ns/a%20b"))));
    assertKept(of(walk, new LoadOutput.Nowhere()));
    LoadInput history =
        new LoadInput.Workload(
            new WorkloadHistory(
                new WorkloadSeries(
                    List.of("b", "a"),
                    List.of(new WorkloadSeries.Tag("z", 2), new WorkloadSeries.Tag("a", 3))),
                new WorkloadValues(
                    ValueKind.WALK, -1, 5, 2, 60, 1, new WorkloadValues.Outliers(3, 4, 5)),
                7,
                60_000,
                1_704_067_200,
                100,
                1,
                2));
    assertKept(of(history, new LoadOutput.HFiles(null)));
    assertKept(Manifests.settings());
  }

  @Test
  void anotherVersionIsRefusedNamingItAndWhoWroteIt() throws Exception {
    Manifests.of("one", JobShard.WHOLE, Manifests.settings(), INPUTS).write(folder);
    Path file = folder.resolve(Manifest.FILE);
    String json = Files.readString(file);
    Files.writeString(
        file,
        json.replace("\"v\" : " + Manifest.VERSION, "\"v\" : 1")
            .replace("\"software\" : \"test\"", "\"software\" : \"Packhorse 0.0.9\""));
    JobException refused = assertThrows(JobException.class, () -> Manifest.read(folder));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("has version 1, this Packhorse reads version 2"), message);
    assertTrue(message.contains("Packhorse 0.0.9"), message);
  }
}
