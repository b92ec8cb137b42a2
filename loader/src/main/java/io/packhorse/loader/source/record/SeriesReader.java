package io.packhorse.loader.source.record;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.point.StringInterner;
import io.packhorse.loader.point.Tags;
import io.packhorse.loader.source.record.Rejects.Reason;
import io.packhorse.schema.uid.UidRows;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes series of the names in an input, by OpenTSDB's rules and the user's: the slow way, taken
 * once for each spelling of a series. Call {@link #begin}, {@link #tag} for each tag, {@link
 * #endTags}, then {@link #series} for each metric with these tags. One thread.
 */
public final class SeriesReader {
  /** Instead of a number: the series is rejected, {@link #reason} says why. */
  public static final int REJECTED = -1;

  /** Instead of a number: a series that the filters leave out. */
  public static final int LEFT_OUT = -2;

  private final SeriesNames names;
  private final SeriesRules rules;
  private final RefusedNames refused;
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
  private final NavigableMap<String, String> tags = new TreeMap<>();
  private final StringInterner words = new StringInterner();

  private Tags wholeTags = Tags.of(tags);
  private boolean wanted;
  private Reason reason = Reason.NOT_UTF_8;

  /**
   * @param names gets every series made
   */
  public SeriesReader(SeriesNames names, SeriesRules rules) {
    this(names, rules, new RefusedNames());
  }

  /**
   * As {@link #SeriesReader(SeriesNames, SeriesRules)}.
   *
   * @param refused gets names that have characters OpenTSDB does not take
   */
  public SeriesReader(SeriesNames names, SeriesRules rules, RefusedNames refused) {
    this.names = names;
    this.rules = rules;
    this.refused = refused;
  }

  /** Another one for the same series, for use beside this one on another thread. */
  public SeriesReader forAnotherThread() {
    return new SeriesReader(names, rules, refused);
  }

  /** Why the last call gave null, false or {@link #REJECTED}. */
  public Reason reason() {
    return reason;
  }

  /** Decodes UTF-8; null if the bytes are not valid. */
  public @Nullable String text(byte[] buffer, int from, int to) {
    try {
      return words.intern(utf8.decode(ByteBuffer.wrap(buffer, from, to - from)).toString());
    } catch (CharacterCodingException e) {
      reason = Reason.NOT_UTF_8;
      return null;
    }
  }

  /** Begins the tags of a series. */
  public void begin() {
    tags.clear();
  }

  /** Series there are so far, of all inputs. */
  public int seriesSoFar() {
    return names.size();
  }

  /** Whether series with the tags ended last pass {@code --where}. */
  public boolean tagsPassFilter() {
    return wanted;
  }

  /** Whether {@link #tag} leaves tags of a key out. */
  public boolean drops(String key) {
    return rules.droppedTags().contains(key);
  }

  /** Adds a tag; false if the tag, and with it the series, is rejected. */
  public boolean tag(String key, String value) {
    if (drops(key)) {
      return true;
    }
    String storedKey = name("a tag key", "", rules.renamedTags().getOrDefault(key, key));
    String storedValue = storedKey == null ? null : name("the tag ", storedKey, value);
    if (storedKey == null || storedValue == null) {
      return false;
    }
    String earlier = tags.putIfAbsent(words.intern(storedKey), words.intern(storedValue));
    if (earlier != null && !earlier.equals(storedValue)) {
      reason = Reason.TAG_TWICE;
      return false;
    }
    return true;
  }

  /** Ends the tags; false if there are too many or too few for OpenTSDB. */
  public boolean endTags() {
    rules.addedTags().forEach(tags::putIfAbsent);
    if (tags.isEmpty()) {
      reason = Reason.NO_TAG;
      return false;
    }
    if (tags.size() > rules.tagsMax()) {
      reason = Reason.TOO_MANY_TAGS;
      return false;
    }
    Tags made = Tags.of(tags);
    // Series of one host often come one after the other.
    wholeTags = made.equals(wholeTags) ? wholeTags : made;
    wanted = true;
    for (Map.Entry<String, Set<String>> condition : rules.where().entrySet()) {
      String value = tags.get(condition.getKey());
      wanted &= value != null && condition.getValue().contains(value);
    }
    return true;
  }

  /** The number of a series with these tags, {@link #REJECTED} or {@link #LEFT_OUT}. */
  public int series(String metric) {
    String stored =
        name(
            RefusedNames.METRIC,
            "",
            rules.metricPrefix() + rules.renamedMetrics().getOrDefault(metric, metric));
    if (stored == null) {
      return REJECTED;
    }
    return wanted ? names.intern(new SeriesName(words.intern(stored), wholeTags)) : LEFT_OUT;
  }

  /** The name as it is stored, or null if OpenTSDB does not allow it. */
  private @Nullable String name(String what, String key, String name) {
    if (name.length() > UidRows.NAME_LENGTH_MAX) {
      reason = Reason.NAME_TOO_LONG;
      return null;
    }
    if (name.isEmpty()) {
      reason = Reason.NAME_EMPTY;
      return null;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isAllowed(c) || c > 0xff) {
        if (rules.replacesCharacters()) {
          String stored = replaced(name);
          refused.stored(what + key, name, stored);
          return stored;
        }
        refused.add(what + key, name, c);
        reason = isAllowed(c) ? Reason.NAME_NOT_LATIN_1 : Reason.NAME_CHARACTER;
        return null;
      }
    }
    if (rules.replacesCharacters()) {
      refused.stored(what + key, name, name);
    }
    return name;
  }

  private static boolean isAllowed(char c) {
    return Character.isLetter(c) || (c >= '0' && c <= '9') || "-_./".indexOf(c) >= 0;
  }

  /**
   * Why OpenTSDB does not take the characters of a name and what to do, for people; empty if it
   * takes them.
   */
  public static Optional<String> problem(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isAllowed(c) || c > 0xff) {
        String shown = c < ' ' || c == 0x7f ? String.format("U+%04X", (int) c) : "'" + c + "'";
        return Optional.of(
            "OpenTSDB's names cannot have "
                + shown
                + (isAllowed(c) ? ", which is not in ISO-8859-1" : "")
                + "; --replace-characters stores "
                + replaced(name));
      }
    }
    return Optional.empty();
  }

  /** The name with an underscore for each character that OpenTSDB does not allow. */
  public static String replaced(String name) {
    StringBuilder stored = new StringBuilder(name);
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (!isAllowed(c) || c > 0xff) {
        stored.setCharAt(i, '_');
      }
    }
    return stored.toString();
  }
}
