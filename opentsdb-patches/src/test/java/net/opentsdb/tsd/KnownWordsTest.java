package net.opentsdb.tsd;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import net.opentsdb.utils.Config;
import org.junit.jupiter.api.Test;

final class KnownWordsTest {
  @Test
  void knowsTheLastWordsOfEachPlace() throws IOException {
    KnownWords known = new KnownWords(new Config(false));
    assertFalse(known.contains("host=h1"));
    int missing = 0;
    for (int i = 0; i < 1_000; i++) {
      known.add("host=h" + i);
      assertTrue(known.contains("host=h" + i));
    }
    for (int i = 0; i < 1_000; i++) {
      missing += known.contains("host=h" + i) ? 0 : 1;
    }
    assertTrue(missing >= 1_000 - 256, missing + " words are not known");
    assertTrue(missing < 1_000, "some are");
  }

  @Test
  void knowsNothingWhereTheCacheForgetsAtAnyTime() throws IOException {
    Config config = new Config(false);
    config.overrideConfig("tsd.uid.lru.enable", "true");
    KnownWords known = new KnownWords(config);
    known.add("host=h1");
    assertFalse(known.contains("host=h1"));
  }
}
