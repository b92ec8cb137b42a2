package io.packhorse.loader.source;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.source.Rejects.Reason;
import io.packhorse.schema.uid.UidRows;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.StringTokenizer;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads metric and tags of a line into a series name by OpenTSDB's rules: the slow way, taken once
 * for each spelling of a series. One thread.
 */
final class LineNames {
  /** OpenTSDB's own limit. */
  static final int TAGS_MAX = 8;

  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
  private Reason reason = Reason.NOT_UTF_8;

  /**
   * Reads a metric and the tags after it.
   *
   * @return null if OpenTSDB would not take them; {@link #reason} then says why
   */
  @Nullable SeriesName read(byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    String metric;
    String tagText;
    try {
      metric = text(buffer, metricFrom, metricTo);
      tagText = text(buffer, tagsFrom, tagsTo);
    } catch (CharacterCodingException e) {
      reason = Reason.NOT_UTF_8;
      return null;
    }
    if (!isName(metric)) {
      return null;
    }
    SortedMap<String, String> tags = tags(tagText);
    return tags == null ? null : new SeriesName(metric, tags);
  }

  /** Why the last {@link #read} gave null. */
  Reason reason() {
    return reason;
  }

  private @Nullable SortedMap<String, String> tags(String text) {
    SortedMap<String, String> tags = new TreeMap<>();
    StringTokenizer words = new StringTokenizer(text, " \t");
    while (words.hasMoreTokens()) {
      String word = words.nextToken();
      int equals = word.indexOf('=');
      if (equals < 1 || equals == word.length() - 1 || word.indexOf('=', equals + 1) >= 0) {
        reason = Reason.TAG_MALFORMED;
        return null;
      }
      String key = word.substring(0, equals);
      String value = word.substring(equals + 1);
      if (!isName(key) || !isName(value)) {
        return null;
      }
      String earlier = tags.putIfAbsent(key, value);
      if (earlier != null && !earlier.equals(value)) {
        reason = Reason.TAG_TWICE;
        return null;
      }
    }
    if (tags.size() > TAGS_MAX) {
      reason = Reason.TOO_MANY_TAGS;
      return null;
    }
    return tags;
  }

  private boolean isName(String name) {
    if (name.length() > UidRows.NAME_LENGTH_MAX) {
      reason = Reason.NAME_TOO_LONG;
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Character.isLetter(c) && !(c >= '0' && c <= '9') && "-_./".indexOf(c) < 0) {
        reason = Reason.NAME_CHARACTER;
        return false;
      }
      if (c > 0xff) {
        reason = Reason.NAME_NOT_LATIN_1;
        return false;
      }
    }
    return true;
  }

  private String text(byte[] buffer, int from, int to) throws CharacterCodingException {
    return utf8.decode(ByteBuffer.wrap(buffer, from, to - from)).toString();
  }
}
