package net.opentsdb.query.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class LinearPatternTest {
  /** Each takes minutes to centuries in java.util.regex. */
  @ParameterizedTest
  @ValueSource(
      strings = {"(.*a){20}x", "(.*.){12}!", "(a+)+$", "(a|aa)+$", "((a*)*)*b", "(.*){30}!"})
  void matchesInTimeWhateverTheExpression(String expression) {
    LinearPattern pattern = LinearPattern.compile(expression);
    for (String text :
        new String[] {
          "a".repeat(60) + "b", "web-frontend-prod-0001.dc1.example.com", "a".repeat(5_000) + "!b"
        }) {
      pattern.find(text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web[0-9]+",
        "^web",
        "prod$",
        "web|db",
        "(?i)WEB",
        "w.b",
        "\\d{4}",
        "[^-]+-prod",
        "\\bdc1\\b",
        "\\Qweb.\\E",
        "[]a]",
        "(?:a|b)?c*",
        "web-(?<name>x)?"
      })
  void agreesWithJava(String expression) {
    for (String text :
        new String[] {"web-prod-0001.dc1", "db7", "WEB", "web.1", "", "a]b", "-prod"}) {
      assertEquals(
          Pattern.compile(expression).matcher(text).find(),
          LinearPattern.compile(expression).find(text),
          expression + " in " + text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "(a)\\1 back-references",
        "(?<x>a)\\k<x> back-references",
        "a(?=b) look-aheads",
        "a(?!b) look-aheads",
        "(?<=a)b look-behinds",
        "(?<!a)b look-behinds",
        "(?>a) atomic",
        "a*+ possessive",
        "a++ possessive",
        "a{2}+ possessive",
        "(a Regular",
        "[a Regular",
        "a{1001} repetitions",
        "((a{100}){100}){100} repetitions"
      })
  void refusesByName(String expression, String reason) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> LinearPattern.compile(expression));
    assertTrue(String.valueOf(e.getMessage()).contains(reason), e.getMessage());
  }

  @Test
  void refusesWhatIsTooLong() {
    assertThrows(IllegalArgumentException.class, () -> LinearPattern.compile("a".repeat(1025)));
    assertThrows(
        IllegalArgumentException.class,
        () -> LinearPattern.compile("(".repeat(500) + "a" + ")".repeat(500) + "{1000}{1000}"));
    assertTrue(LinearPattern.compile("a".repeat(1024)).find("a".repeat(2000)));
  }

  @Test
  void isWhatTheFilterUses() throws Exception {
    TagVRegexFilter filter = new TagVRegexFilter("host", "(.*a){20}x");
    assertFalse(filter.match(Map.of("host", "a".repeat(60) + "b")).join());
    assertTrue(new TagVRegexFilter("host", "web.*").match(Map.of("host", "web1")).join());
    assertFalse(filter.match(Map.of("rack", "1")).join());
    assertEquals(filter, new TagVRegexFilter("host", "(.*a){20}x"));
    assertEquals(filter.hashCode(), new TagVRegexFilter("host", "(.*a){20}x").hashCode());
    assertThrows(IllegalArgumentException.class, () -> new TagVRegexFilter("host", "a(?=b)"));
  }
}
