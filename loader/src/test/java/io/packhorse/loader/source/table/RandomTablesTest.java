package io.packhorse.loader.source.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.source.format.Reading;
import io.packhorse.loader.source.format.Reading.Point;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.table.RandomTable.Meant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tables made by chance, whose meaning is known because they are made from it. Each is read as its
 * user means it, or asked about, or what is not read so is a counted reject.
 *
 * <p>{@code -Dpackhorse.tables=100000} reads more of them, {@code -Dpackhorse.tables.seed=7} says
 * which is the first.
 */
final class RandomTablesTest {
  private static final int TABLES = Integer.getInteger("packhorse.tables", 1000);
  private static final long FIRST = Long.getLong("packhorse.tables.seed", 0);
  private static final int SHOWN_MAX = Integer.getInteger("packhorse.tables.shown", 5);

  private static final boolean SHOWS_REASONS = Boolean.getBoolean("packhorse.tables.reasons");

  private static final List<String> KINDS =
      List.of("asked", "loaded", "with rejects", "all rejected", "differing");

  /** How a table ended. */
  private record Outcome(String kind, String why) {}

  @Test
  void noTableIsMisreadInSilence() throws Exception {
    Map<String, Integer> kinds = new HashMap<>();
    Map<String, Integer> reasons = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    int plain = 0;
    for (long seed = FIRST; seed < FIRST + TABLES; seed++) {
      RandomTable table = new RandomTable(seed);
      Outcome outcome = read(table);
      kinds.merge(outcome.kind(), 1, Integer::sum);
      plain += table.isPlain() ? 1 : 0;
      boolean inVain = table.isPlain() && !outcome.kind().equals("loaded");
      if (outcome.kind().equals("asked")) {
        reasons.merge(outcome.why().replaceAll("'[^']*'|[0-9]+|\\[.*", "_"), 1, Integer::sum);
      }
      if (outcome.kind().equals("differing") || inVain) {
        wrong.add(
            (inVain ? "ordinary " : "")
                + "seed "
                + seed
                + ": "
                + outcome
                + "\n"
                + table.text().lines().limit(5).reduce("", (a, b) -> a + "  " + b + "\n"));
      }
    }
    System.out.println(
        "random tables: "
            + TABLES
            + ", ordinary ones "
            + plain
            + "; "
            + KINDS.stream()
                .map(kind -> kind + " " + kinds.getOrDefault(kind, 0))
                .collect(Collectors.joining(", ")));
    if (SHOWS_REASONS) {
      reasons.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .limit(40)
          .forEach(System.out::println);
    }
    String first = String.join("\n", wrong.subList(0, Math.min(SHOWN_MAX, wrong.size())));
    assertEquals(0, wrong.size(), () -> "\n" + first);
    assertTrue(TABLES < 1000 || 4 * plain > TABLES, "too few plain tables: " + plain);
  }

  private static Outcome read(RandomTable table) throws Exception {
    Reading reading;
    try {
      reading = Reading.of(table.spec(), table.text());
    } catch (InputException e) {
      return new Outcome("asked", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    Map<String, Integer> left = new HashMap<>();
    for (Point point : reading.points()) {
      left.merge(key(point), 1, Integer::sum);
    }
    Map<Integer, Integer> lost = new HashMap<>(table.damaged());
    Map<Integer, Integer> found = new HashMap<>();
    Map<Integer, String> lines = new HashMap<>();
    for (Meant each : table.meant()) {
      String key = each.series() + " " + each.timestampMs() + " " + each.value();
      int count = left.getOrDefault(key, 0);
      if (count == 0) {
        lost.merge(each.line(), 1, Integer::sum);
        lines.put(each.line(), key);
      } else {
        left.put(key, count - 1);
        found.put(each.line(), 1);
      }
    }
    Map<Integer, Integer> rejects = new HashMap<>();
    for (String line : reading.rejectLines()) {
      rejects.merge(Integer.parseInt(line.split("\t", -1)[1]), 1, Integer::sum);
    }
    // A row is rejected as a whole, or field by field.
    List<String> unsaid =
        lost.entrySet().stream()
            .filter(
                each -> {
                  int said = rejects.getOrDefault(each.getKey(), 0);
                  boolean row = said == 1 && !found.containsKey(each.getKey());
                  return !row && said < each.getValue();
                })
            .map(each -> each.getKey() + ": " + lines.get(each.getKey()))
            .toList();
    List<String> extra =
        left.entrySet().stream()
            .filter(each -> each.getValue() > 0)
            .map(Map.Entry::getKey)
            .toList();
    if (unsaid.isEmpty() && extra.isEmpty()) {
      return new Outcome(
          rejects.isEmpty() ? "loaded" : found.isEmpty() ? "all rejected" : "with rejects",
          reading.reasons().toString());
    }
    return new Outcome(
        "differing",
        "rejects "
            + rejects.keySet().stream().sorted().limit(9).toList()
            + reading.reasons()
            + " lost "
            + first(unsaid)
            + "; read instead "
            + first(extra));
  }

  private static String first(List<?> of) {
    return of.size() + " " + of.subList(0, Math.min(3, of.size()));
  }

  private static String key(Point point) {
    String value =
        point.isDouble() ? "" + Double.longBitsToDouble(point.bits()) : "" + point.bits();
    Map<String, String> tags = new TreeMap<>();
    for (int tag = 0; tag < point.series().tags().size(); tag++) {
      tags.put(point.series().tags().key(tag), point.series().tags().value(tag));
    }
    return point.series().metric() + tags + " " + point.timestampMs() + " " + value;
  }
}
