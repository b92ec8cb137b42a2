package net.opentsdb.tsd;

import java.util.Arrays;
import net.opentsdb.uid.KnownNames;
import net.opentsdb.utils.Config;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The words of put lines, metrics and {@code TAG=VALUE}, whose names were in the TSD's cache of
 * UIDs when last looked up: a sender names the same few again and again, and each look-up costs
 * more than the rest of what is done to a line before it is stored.
 *
 * <p>A table of {@value #SIZE} words, a word's place given by its hash; the newer word stays. One
 * instance for each connection; one thread at a time.
 */
@NullMarked
final class KnownWords {
  private static final int SIZE = 256;

  private final @Nullable String[] words = new String[SIZE];
  private final boolean cacheForgets;
  private int forgotten;

  KnownWords(Config config) {
    // Such a cache may forget any name at any time.
    cacheForgets =
        config.hasProperty("tsd.uid.lru.enable") && config.getBoolean("tsd.uid.lru.enable");
    forgotten = KnownNames.forgotten();
  }

  /** To be called before a line: nothing stays known of what the cache has lost. */
  void check() {
    int now = KnownNames.forgotten();
    if (now != forgotten) {
      Arrays.fill(words, null);
      forgotten = now;
    }
  }

  boolean contains(String word) {
    return word.equals(words[place(word)]);
  }

  /** Adds a word whose names were in the cache after the last {@link #check}. */
  void add(String word) {
    if (!cacheForgets) {
      words[place(word)] = word;
    }
  }

  private static int place(String word) {
    int hash = word.hashCode();
    return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SIZE - 1);
  }
}
