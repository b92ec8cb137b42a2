package io.packhorse.loader.source.table;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Words for true and false, in capitals or not. */
public final class Truths {
  /** What {@link #of} returns for another word. */
  public static final int NONE = -1;

  private static final List<String> TRUE = List.of("true", "yes", "on", "t", "y");
  private static final List<String> FALSE = List.of("false", "no", "off", "f", "n");
  private static final int LENGTH_MAX = 5;

  private Truths() {}

  /** 1 for true, 0 for false, else {@link #NONE}. */
  public static int of(byte[] bytes, int from, int to) {
    if (from == to || to - from > LENGTH_MAX || !Character.isLetter(bytes[from])) {
      return NONE;
    }
    String word = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    String lower = word.toLowerCase(Locale.ROOT);
    return TRUE.contains(lower) ? 1 : FALSE.contains(lower) ? 0 : NONE;
  }

  /** Whether most words are one such pair: both of it, or true or false alone. */
  static boolean areMost(List<String> words) {
    List<String> lower = words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
    Set<String> different = new HashSet<>(lower);
    for (int i = 0; i < TRUE.size(); i++) {
      Set<String> pair = Set.of(TRUE.get(i), FALSE.get(i));
      if ((i == 0 || different.containsAll(pair))
          && TimeGuess.isMost(lower.stream().filter(pair::contains).count(), lower)) {
        return true;
      }
    }
    return false;
  }
}
