package net.opentsdb.query.filter;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.NullMarked;

/**
 * A regular expression matched in time proportional to the text, by RE2.
 *
 * <p>What RE2 lacks is refused by name: back-references, look-ahead, look-behind, possessive
 * quantifiers and atomic groups. So are expressions that are long or repeat too much, as their
 * matching takes long in proportion. Immutable, any thread.
 */
@NullMarked
final class LinearPattern {
  static final int CHARS_MAX = 1024;

  /** Product of all counts of repetitions, so that the compiled expression stays small. */
  static final int REPETITIONS_MAX = 1000;

  private final Pattern pattern;

  private LinearPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Compiles an expression.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static LinearPattern compile(String expression) {
    if (expression.length() > CHARS_MAX) {
      throw refused(
          expression.substring(0, 64) + "...", "longer than " + CHARS_MAX + " characters");
    }
    String missing = missingFeature(expression);
    if (missing != null) {
      throw refused(
          expression, missing + " are not supported, as their matching can take for ever");
    }
    if (repetitions(expression) > REPETITIONS_MAX) {
      throw refused(expression, "its repetitions multiply to more than " + REPETITIONS_MAX);
    }
    try {
      return new LinearPattern(Pattern.compile(expression));
    } catch (PatternSyntaxException e) {
      throw refused(expression, String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw refused(expression, "its groups are nested too deeply");
    }
  }

  private static IllegalArgumentException refused(String expression, String reason) {
    return new IllegalArgumentException(
        "Regular expression \"" + expression + "\" refused: " + reason);
  }

  private static @org.jspecify.annotations.Nullable String missingFeature(String expression) {
    boolean inClass = false;
    for (int i = 0; i < expression.length(); i++) {
      char c = expression.charAt(i);
      char next = i + 1 < expression.length() ? expression.charAt(i + 1) : 0;
      if (c == '\\') {
        if (next == 'Q') {
          int end = expression.indexOf("\\E", i + 2);
          i = end < 0 ? expression.length() : end + 1;
          continue;
        }
        if (!inClass && ((next >= '1' && next <= '9') || next == 'k')) {
          return "back-references";
        }
        i++;
      } else if (inClass) {
        inClass = c != ']';
      } else if (c == '[') {
        inClass = true;
        i += next == '^' ? 2 : 1; // A bracket that comes first is an ordinary character.
      } else if (c == '(' && next == '?') {
        String kind = expression.substring(i + 2, Math.min(i + 4, expression.length()));
        if (kind.startsWith("=") || kind.startsWith("!")) {
          return "look-aheads";
        }
        if (kind.startsWith("<=") || kind.startsWith("<!")) {
          return "look-behinds";
        }
        if (kind.startsWith(">")) {
          return "atomic groups";
        }
      } else if ((c == '*' || c == '+' || c == '?' || c == '}') && next == '+') {
        return "possessive quantifiers";
      }
    }
    return null;
  }

  private static long repetitions(String expression) {
    long product = 1;
    Matcher counts = REPETITION.matcher(expression);
    while (counts.find()) {
      String max =
          counts.group(2) == null || counts.group(2).isEmpty() ? counts.group(1) : counts.group(2);
      product *= Math.max(1, max.length() > 4 ? 10_000 : Integer.parseInt(max));
      if (product > REPETITIONS_MAX) {
        break;
      }
    }
    return product;
  }

  private static final Pattern REPETITION = Pattern.compile("\\{([0-9]+)(?:,([0-9]*))?\\}");

  /** Whether the expression matches a part of the text. */
  boolean find(String text) {
    return pattern.matcher(text).find();
  }

  /** The expression. */
  String pattern() {
    return pattern.pattern();
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }
}
