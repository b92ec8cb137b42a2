package io.packhorse.loader.source.record;

import java.util.HashMap;
import java.util.Map;
import net.opentsdb.core.Tags;
import org.jspecify.annotations.Nullable;

/**
 * What OpenTSDB makes of a point, by its own classes. The order of calls is that of its {@code put}
 * command; where that calls into a live TSD, the checks made there are spelled out.
 */
public final class StockRules {
  private static final int TAGS_MAX = 8;

  /** A value as stored: the integer, or the raw bits of the double equal to the float or double. */
  public record Value(long bits, boolean isDouble) {}

  private StockRules() {}

  /** The value stored for a word, or null if it is refused. */
  public static @Nullable Value value(String word) {
    try {
      if (Tags.looksLikeInteger(word)) {
        return new Value(Tags.parseLong(word), false);
      }
      double stored =
          Tags.fitsInFloat(word) ? (double) Float.parseFloat(word) : Double.parseDouble(word);
      return Double.isFinite(stored) ? new Value(Double.doubleToRawLongBits(stored), true) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The number read from a timestamp, or null if it is refused. */
  public static @Nullable Long timestamp(String word) {
    try {
      long number = Tags.parseLong(word.replace(".", ""));
      boolean millis = (number & 0xffff_ffff_0000_0000L) != 0;
      return number <= 0 || (millis && number > 9_999_999_999_999L) ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The tags of a series, or null if metric or tags are refused. */
  public static @Nullable Map<String, String> tags(String metric, String... words) {
    try {
      HashMap<String, String> tags = new HashMap<>();
      for (String word : words) {
        Tags.parse(tags, word);
      }
      Tags.validateString("metric name", metric);
      tags.forEach(
          (key, value) -> {
            Tags.validateString("tag name", key);
            Tags.validateString("tag value", value);
          });
      return tags.isEmpty() || tags.size() > TAGS_MAX ? null : tags;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
