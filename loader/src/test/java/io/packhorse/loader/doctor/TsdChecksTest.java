package io.packhorse.loader.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.layout.TableLayout;
import io.packhorse.loader.query.TsdState;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

final class TsdChecksTest {
  private static final String SAFE = "tsd.storage.enable_compaction";

  @Test
  void findsNothingWrongWithWhatALoadNeeds() throws IOException {
    List<Finding> findings = answered("1", true, config(SAFE, "false"));
    assertEquals(List.of(), worse(findings));
    assertEquals(
        List.of("patched", "layout", "compaction", "timestamps", "max_tags"),
        findings.stream().map(Finding::check).toList());
  }

  @Test
  void failsAnUnpatchedTsdIfTheLoadWritesPackedCells() throws IOException {
    Finding stock = worse(answered("", true, config(SAFE, "false"))).get(0);
    assertEquals(Verdict.FAIL, stock.verdict());
    assertTrue(stock.found().contains("without the patches"), stock.found());
    assertTrue(stock.todo().contains("--cells compacted"), stock.todo());
    assertEquals(List.of(), worse(answered("", false, config(SAFE, "false"))));
  }

  @Test
  void failsATsdThatReadsAnotherVersionOfPackedCells() throws IOException {
    assertEquals(List.of(), worse(answered("1,2", true, config(SAFE, "false"))));
    Finding newer = worse(answered("2", true, config(SAFE, "false"))).get(0);
    assertTrue(newer.found().startsWith("reads packed cells of version 2"), newer.found());
  }

  @Test
  void failsATsdWithAnotherLayout() throws IOException {
    Finding other =
        worse(answered("1", true, config(SAFE, "false", "tsd.storage.salt.width", "1"))).get(0);
    assertEquals("layout", other.check());
    assertTrue(other.found().contains("salt 1 x 20"), other.found());
    Finding odd =
        worse(answered("1", true, config(SAFE, "false", "tsd.storage.salt.width", "x"))).get(0);
    assertTrue(odd.found().contains("must be a number"), odd.found());
  }

  @Test
  void compactionIsOnUnlessSwitchedOff() {
    assertEquals(List.of("compaction"), failed());
    for (String on : List.of("true", "1", " YES ")) {
      assertEquals(List.of("compaction"), failed(SAFE, on), on);
    }
    assertEquals(List.of(), failed(SAFE, "false"));
    assertEquals(List.of(), failed(SAFE, "0"));
  }

  @Test
  void failsSettingsThatHideLoadedCells() {
    assertEquals(
        List.of("timestamps"), failed(SAFE, "false", "tsd.storage.use_otsdb_timestamp", "true"));
    Finding tiered =
        worse(settings(8, SAFE, "0", "tsd.storage.get_date_tiered_compaction_start", "12")).get(0);
    assertEquals(Verdict.WARN, tiered.verdict());
    assertTrue(tiered.found().endsWith("is 12"), tiered.found());
  }

  @Test
  void warnsOfSeriesWithMoreTagsThanTheTsdWrites() {
    assertEquals(List.of(), worse(settings(8, SAFE, "0")));
    assertEquals("max_tags", worse(settings(9, SAFE, "0")).get(0).check());
    assertEquals(List.of(), worse(settings(9, SAFE, "0", "tsd.storage.max_tags", "9")));
    assertEquals(1, worse(settings(8, SAFE, "0", "tsd.storage.max_tags", "4")).size());
  }

  private static List<Finding> answered(String packedCells, boolean packed, Properties config)
      throws IOException {
    TsdState tsd = new TsdState(URI.create("http://tsd:4242"), packedCells, config, 0, 0);
    return TsdChecks.answered(tsd, TableLayout.of(new Properties(), "defaults"), packed, 8);
  }

  private static List<String> failed(String... settings) {
    return worse(settings(8, settings)).stream().map(Finding::check).toList();
  }

  private static List<Finding> settings(int tagsMax, String... settings) {
    return TsdChecks.settings(config(settings), "opentsdb.conf", tagsMax);
  }

  private static List<Finding> worse(List<Finding> findings) {
    return findings.stream().filter(finding -> finding.verdict() != Verdict.OK).toList();
  }

  private static Properties config(String... settings) {
    Properties config = new Properties();
    for (int i = 0; i < settings.length; i += 2) {
      config.putAll(Map.of(settings[i], settings[i + 1]));
    }
    return config;
  }
}
