package io.packhorse.loader.source.openmetrics;

/**
 * The labels of a sample, one after the other. A quoted word without a value is the name of the
 * metric, and a key may be quoted too: Prometheus 3 writes names outside ASCII so. One thread.
 */
final class Labels {
  /** The key of a metric's name where it stands among the labels. */
  static final String NAME = "__name__";

  private final String text;
  private int at;
  private String key = "";
  private String value = "";
  private boolean malformed;

  /**
   * @param text with its braces, or empty
   */
  Labels(String text) {
    this.text = text;
    this.at = text.isEmpty() ? 0 : 1;
  }

  /** Index after the brace that closes labels, or -1; braces in quotes are text. */
  static int end(byte[] buffer, int from, int to) {
    boolean quoted = false;
    for (int at = from; at < to; at++) {
      if (quoted && buffer[at] == '\\') {
        at++;
      } else if (buffer[at] == '"') {
        quoted = !quoted;
      } else if (!quoted && buffer[at] == '}') {
        return at + 1;
      }
    }
    return -1;
  }

  /** Advances to the next label; false after the last one, and at a malformed one. */
  boolean next() {
    skip(" \t");
    if (at >= text.length() || text.charAt(at) == '}') {
      return false;
    }
    boolean quoted = text.charAt(at) == '"';
    malformed = !readKey(quoted);
    if (malformed) {
      return false;
    }
    skip(" \t");
    if (at < text.length() && text.charAt(at) == '=') {
      at++;
      skip(" \t");
      malformed = key.isEmpty() || !readValue();
    } else {
      malformed = !quoted;
      value = key;
      key = NAME;
    }
    if (malformed) {
      return false;
    }
    skip(" \t");
    if (at < text.length() && text.charAt(at) == ',') {
      at++;
    } else if (at >= text.length() || text.charAt(at) != '}') {
      malformed = true;
    }
    return !malformed;
  }

  private boolean readKey(boolean quoted) {
    if (quoted) {
      boolean read = readValue();
      key = value;
      return read;
    }
    int from = at;
    while (at < text.length() && "=\", \t}".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    key = text.substring(from, at);
    return true;
  }

  private boolean readValue() {
    if (at >= text.length() || text.charAt(at) != '"') {
      return false;
    }
    StringBuilder plain = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        value = plain.toString();
        return true;
      }
      if (c == '\\' && at + 1 < text.length()) {
        at++;
        c = text.charAt(at);
        if (c == 'n') {
          c = '\n';
        } else if (c != '"' && c != '\\') {
          plain.append('\\');
        }
      }
      plain.append(c);
    }
    return false;
  }

  private void skip(String characters) {
    while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  String key() {
    return key;
  }

  String value() {
    return value;
  }

  /** Whether {@link #next} found a malformed label. */
  boolean malformed() {
    return malformed;
  }
}
