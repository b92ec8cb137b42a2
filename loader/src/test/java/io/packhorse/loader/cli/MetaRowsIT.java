package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lookups and last points find the series that have the asked tags, wherever these stand. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class MetaRowsIT {
  private static final String METRIC = "it.meta.rows";
  private static final long TIME_S = 1_704_067_200;
  private static final int KEYS = 5;
  private static final int VALUES = 4;
  private static final int SERIES = 300;
  private static final int QUESTIONS = 150;

  private final ObjectMapper json = new ObjectMapper();
  private final Random random = new Random(31);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private TsdRequests tsd;

  private Set<Map<String, String>> series = Set.of();

  @BeforeEach
  void load() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    tsd = new TsdRequests(server.tsdUrl());
    series = new HashSet<>();
    while (series.size() < SERIES) {
      Map<String, String> tags = new TreeMap<>();
      for (int key = 0; key < KEYS; key++) {
        if (random.nextInt(3) > 0) {
          tags.put("meta" + key, "v" + random.nextInt(VALUES));
        }
      }
      if (!tags.isEmpty()) {
        series.add(tags);
      }
    }
    StringBuilder lines = new StringBuilder();
    for (Map<String, String> tags : series) {
      lines.append(METRIC + " " + TIME_S + " 1");
      tags.forEach((key, value) -> lines.append(" " + key + "=" + value));
      lines.append('\n');
    }
    Path file = Files.writeString(folder.resolve("lines.txt"), lines);
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code =
        Packhorse.commandLine()
            .setOut(writer)
            .setErr(writer)
            .execute("load", "--dir", server.store().root().toString(), file.toString());
    assertEquals(ExitCode.OK.code(), code, said.toString());
  }

  /** Pairs of key and value, "*" for any of them; of several values of a key, one. */
  @Test
  void lookupsFindWhatAModelFinds() throws Exception {
    int found = 0;
    for (int i = 0; i < QUESTIONS; i++) {
      ObjectNode asked = json.createObjectNode().put("metric", METRIC);
      asked.put("useMeta", true).put("limit", 10 * SERIES);
      ArrayNode pairs = asked.putArray("tags");
      Map<String, List<String>> wanted = new TreeMap<>();
      for (int pair = random.nextInt(4); pair > 0; pair--) {
        String key = "meta" + random.nextInt(KEYS);
        String value = random.nextInt(4) == 0 ? "*" : "v" + random.nextInt(VALUES);
        pairs.addObject().put("key", key).put("value", value);
        wanted.computeIfAbsent(key, of -> new ArrayList<>()).add(value);
      }
      Set<Map<String, String>> expected = new HashSet<>(series);
      expected.removeIf(tags -> !has(tags, wanted));
      Set<Map<String, String>> answered = new HashSet<>();
      for (JsonNode each : tsd.post("/api/search/lookup", asked).get("results")) {
        assertTrue(answered.add(tags(each)), "twice: " + each);
      }
      assertEquals(expected, answered, asked.toString());
      found += answered.size();
    }
    assertTrue(found > QUESTIONS, "series were found");
  }

  @Test
  void lastPointsAreThoseOfAModel() throws Exception {
    for (int i = 0; i < QUESTIONS; i++) {
      ObjectNode asked = json.createObjectNode().put("resolveNames", true);
      ObjectNode query = asked.putArray("queries").addObject().put("metric", METRIC);
      ObjectNode tags = query.putObject("tags");
      Map<String, List<String>> wanted = new TreeMap<>();
      for (int pair = random.nextInt(4); pair > 0; pair--) {
        String key = "meta" + random.nextInt(KEYS);
        String value = "v" + random.nextInt(VALUES);
        tags.put(key, value);
        wanted.put(key, List.of(value));
      }
      Set<Map<String, String>> expected = new HashSet<>(series);
      expected.removeIf(each -> !has(each, wanted));
      Set<Map<String, String>> answered = new HashSet<>();
      for (JsonNode each : tsd.post("/api/query/last", asked)) {
        assertTrue(answered.add(tags(each)), "twice: " + each);
      }
      assertEquals(expected, answered, asked.toString());
    }
  }

  private static boolean has(Map<String, String> tags, Map<String, List<String>> wanted) {
    return wanted.entrySet().stream()
        .allMatch(
            each -> {
              String value = tags.get(each.getKey());
              return value != null
                  && (each.getValue().contains("*") || each.getValue().contains(value));
            });
  }

  private static Map<String, String> tags(JsonNode of) {
    Map<String, String> tags = new TreeMap<>();
    of.get("tags").properties().forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    return tags;
  }
}
