package net.opentsdb.tsd;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Escapes text for HTML pages. */
@NullMarked
final class HtmlText {
  private HtmlText() {}

  /** The text with all characters escaped that have a meaning in HTML; empty for null. */
  static String escape(@Nullable String text) {
    if (text == null) {
      return "";
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ("&<>\"'`".indexOf(c) >= 0) {
        escaped.append("&#").append((int) c).append(';');
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
