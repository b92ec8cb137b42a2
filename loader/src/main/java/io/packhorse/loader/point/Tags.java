package io.packhorse.loader.point;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tags of a series, by tag key. Unmodifiable; small, and shared by the series of one host. */
public final class Tags {
  static final Tags NONE = new Tags(new String[0]);

  /** Key, value, key, value, ... */
  private final String[] words;

  private final int hash;

  private Tags(String[] words) {
    this.words = words;
    this.hash = Arrays.hashCode(words);
  }

  /** Tags in the order of their keys as strings. */
  public static Tags of(SortedMap<String, String> tags) {
    String[] words = new String[tags.size() * 2];
    int next = 0;
    String before = null;
    boolean rising = true;
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      rising &= before == null || before.compareTo(tag.getKey()) < 0;
      before = tag.getKey();
      words[next++] = before;
      words[next++] = tag.getValue();
    }
    return rising ? new Tags(words) : of(new TreeMap<>((Map<String, String>) tags));
  }

  /**
   * Tags in order.
   *
   * @param words key, value, key, value, ...; belong to the tags from now on
   */
  static Tags ofSorted(String[] words) {
    return new Tags(words);
  }

  /** Their keys. */
  List<String> keys() {
    String[] keys = new String[size()];
    for (int tag = 0; tag < keys.length; tag++) {
      keys[tag] = key(tag);
    }
    return List.of(keys);
  }

  /** Number of tags. */
  public int size() {
    return words.length / 2;
  }

  /** Key of tag {@code tag}. */
  public String key(int tag) {
    return words[2 * tag];
  }

  /** Value of tag {@code tag}. */
  public String value(int tag) {
    return words[2 * tag + 1];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tags tags && hash == tags.hash && Arrays.equals(words, tags.words);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** As OpenTSDB prints them: <code>{key=value,...}</code>. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int tag = 0; tag < size(); tag++) {
      text.append(tag == 0 ? "" : ",").append(key(tag)).append('=').append(value(tag));
    }
    return text.append('}').toString();
  }
}
