package io.packhorse.loader.point;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Different tags of series, numbered from 0 in order of first appearance: for each the number of
 * its keys and those of its values, some 50 bytes where objects take 200. One thread at a time
 * adds; another may ask for the keys and values of a number that it was told.
 */
final class TagSets {
  private final Map<List<String>, Integer> keyLists = new HashMap<>();
  private final List<List<String>> keys = new ArrayList<>();
  private final Words values = new Words();
  private final NumberTable numbers = new NumberTable();

  /** By number: where it begins in {@link #records}. */
  private final IntBlocks starts = new IntBlocks(0);

  /** Number of the keys, then of each value. */
  private final IntBlocks records = new IntBlocks(0);

  private int end;

  /** The tags asked for last; often the next ones are the same, as the series of one host are. */
  private Tags last = Tags.NONE;

  private int lastNumber = NumberTable.NONE;

  /**
   * The number of some tags.
   *
   * @param add whether new ones get a number; else they have {@link NumberTable#NONE}
   */
  @SuppressWarnings("ReferenceEquality") // series that share tags share the object
  int number(Tags tags, boolean add) {
    if (tags == last && lastNumber != NumberTable.NONE) {
      return lastNumber;
    }
    int number = find(tags, add);
    last = tags;
    lastNumber = number;
    return number;
  }

  private int find(Tags tags, boolean add) {
    int[] record = record(tags, add);
    if (record.length == 0) {
      return NumberTable.NONE;
    }
    for (int slot = numbers.first(Arrays.hashCode(record)); ; slot = numbers.after(slot)) {
      int number = numbers.number(slot);
      if (number == NumberTable.NONE) {
        return add ? add(record) : NumberTable.NONE;
      }
      if (is(number, record)) {
        return number;
      }
    }
  }

  /** Numbers of the keys and of each value; empty if one is unknown. */
  private int[] record(Tags tags, boolean add) {
    List<String> ofTags = tags.keys();
    Integer known = keyLists.get(ofTags);
    if (known == null && !add) {
      return new int[0];
    }
    if (known == null) {
      known = keys.size();
      keyLists.put(ofTags, known);
      keys.add(ofTags);
    }
    int[] record = new int[1 + tags.size()];
    record[0] = known;
    for (int tag = 0; tag < tags.size(); tag++) {
      record[1 + tag] = values.number(tags.value(tag), add);
      if (record[1 + tag] == Words.NONE) {
        return new int[0];
      }
    }
    return record;
  }

  private boolean is(int number, int[] record) {
    int start = starts.get(number);
    for (int i = 0; i < record.length; i++) {
      // The first one decides how many there are.
      if (records.get(start + i) != record[i]) {
        return false;
      }
    }
    return true;
  }

  private int add(int[] record) {
    if (Integer.compareUnsigned(end + record.length, end) < 0) {
      throw new IllegalStateException("the series of a load have too many different tags");
    }
    int number = numbers.size();
    starts.set(number, end);
    for (int field : record) {
      records.set(end++, field);
    }
    numbers.add(this::hash);
    return number;
  }

  private int hash(int number) {
    int hash = 1;
    int start = starts.get(number);
    int fields = 1 + keys.get(records.get(start)).size();
    for (int i = 0; i < fields; i++) {
      hash = 31 * hash + records.get(start + i);
    }
    return hash;
  }

  /** The number of the keys of some tags. */
  int keys(int number) {
    return records.get(starts.get(number));
  }

  /**
   * The number of a value of some tags.
   *
   * @param tag in the order of their keys, from 0
   */
  int value(int number, int tag) {
    return records.get(starts.get(number) + 1 + tag);
  }

  /** Some tags. */
  Tags get(int number) {
    List<String> ofTags = keyList(keys(number));
    String[] words = new String[2 * ofTags.size()];
    for (int tag = 0; tag < ofTags.size(); tag++) {
      words[2 * tag] = ofTags.get(tag);
      words[2 * tag + 1] = values.get(value(number, tag));
    }
    return Tags.ofSorted(words);
  }

  /** The keys with a number. */
  List<String> keyList(int number) {
    return keys.get(number);
  }

  /** How many different lists of keys there are. */
  int keyLists() {
    return keys.size();
  }

  /** All values of all keys. */
  Words values() {
    return values;
  }
}
