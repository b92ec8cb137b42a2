package io.packhorse.loader.read;

import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.uid.UidRows;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;

/** Finds rows by their tags: a regular expression of the bytes of row keys, one char a byte. */
public final class KeyPattern {
  private KeyPattern() {}

  /**
   * Matches the keys of series that have these tags, and perhaps others.
   *
   * @param tags UIDs of tag values by the UID of their key; no values for any value
   */
  public static String of(RowKeyLayout layout, SortedMap<Long, ? extends Collection<Long>> tags) {
    int keyWidth = layout.widths().tagk();
    int valueWidth = layout.widths().tagv();
    String others = "(?:" + any(keyWidth + valueWidth) + ")*";
    StringBuilder pattern = new StringBuilder("(?s)\\A");
    pattern.append(
        any(layout.salt().width() + layout.widths().metric() + RowKeyLayout.TIME_LENGTH));
    for (Map.Entry<Long, ? extends Collection<Long>> tag : tags.entrySet()) {
      pattern.append(others).append(exactly(tag.getKey(), keyWidth));
      if (tag.getValue().isEmpty()) {
        pattern.append(any(valueWidth));
        continue;
      }
      String separator = "(?:";
      for (long value : tag.getValue()) {
        pattern.append(separator).append(exactly(value, valueWidth));
        separator = "|";
      }
      pattern.append(')');
    }
    return pattern.append(others).append("\\z").toString();
  }

  private static String any(int bytes) {
    return ".{" + bytes + "}";
  }

  private static String exactly(long uid, int width) {
    StringBuilder pattern = new StringBuilder();
    for (byte each : UidRows.encode(uid, width)) {
      pattern.append(String.format("\\x%02x", each & 0xff));
    }
    return pattern.toString();
  }
}
