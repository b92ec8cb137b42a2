package io.packhorse.loader.source.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The first names with characters that OpenTSDB does not take, one of each kind. Any thread. */
public final class RefusedNames {
  private static final int KEPT_MAX = 5;

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

  /** What is wrong with them and what to do. */
  public synchronized List<String> sentences() {
    return List.copyOf(sentences.values());
  }
}
