package io.packhorse.loader.source.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The first names with characters that OpenTSDB does not take, one of each kind, and those that
 * would be stored as one when such characters are replaced. Any thread.
 */
public final class RefusedNames {
  /** What a metric's name is of. */
  static final String METRIC = "a metric";

  private static final int KEPT_MAX = 5;

  /** Names that are compared: those at the beginning of an input, which is looked at first. */
  private static final int COMPARED_MAX = 10_000;

  /** Names by what they are of and how they are stored. */
  private final Map<String, String> originals = new HashMap<>();

  private final List<String> tagsThatMeet = new ArrayList<>();
  private Optional<String> metricsThatMeet = Optional.empty();
  private volatile boolean compares = true;

  /** What holds the name, and the character: a sentence about the first such name. */
  private final Map<String, String> sentences = new LinkedHashMap<>();

  /**
   * Keeps a name, unless there is one like it.
   *
   * @param of what the name is of, such as {@code the tag host}
   */
  synchronized void add(String of, String name, char character) {
    if (sentences.size() < KEPT_MAX) {
      sentences.computeIfAbsent(
          of + character,
          none -> of + " is '" + name + "': " + SeriesReader.problem(name).orElse("refused"));
    }
  }

  /**
   * Compares a name with those stored before.
   *
   * @param of what it is of, such as {@code the tag host}
   * @param stored the name with its characters replaced, or as it is
   */
  void stored(String of, String name, String stored) {
    if (compares) {
      compare(of, name, stored);
    }
  }

  private synchronized void compare(String of, String name, String stored) {
    String earlier = originals.putIfAbsent(of + ' ' + stored, name);
    compares = originals.size() < COMPARED_MAX;
    if (earlier == null || earlier.equals(name)) {
      return;
    }
    String both = "'" + earlier + "' and '" + name + "' would both be stored as " + stored;
    if (of.equals(METRIC)) {
      metricsThatMeet =
          Optional.of(
              "the metrics "
                  + both
                  + "; --rename-metric OLD=NEW stores one of them under another name");
    } else if (tagsThatMeet.size() < KEPT_MAX) {
      tagsThatMeet.add(of + " is " + both + ": their points become those of one series");
    }
  }

  /** Two metrics that would be stored as one, and what to do. */
  public synchronized Optional<String> metricsThatMeet() {
    return metricsThatMeet;
  }

  /** Tags that would be stored as one. */
  public synchronized List<String> tagsThatMeet() {
    return List.copyOf(tagsThatMeet);
  }

  /** What is wrong with them and what to do. */
  public synchronized List<String> sentences() {
    return List.copyOf(sentences.values());
  }
}
