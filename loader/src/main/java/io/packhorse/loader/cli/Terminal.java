package io.packhorse.loader.cli;

import java.util.Map;

/**
 * What standard error can show.
 *
 * @param columns of the terminal when the command began; 0 if it is none, or cannot redraw a line
 * @param colours whether it may be coloured
 */
record Terminal(int columns, boolean colours) {
  static final Terminal NONE = new Terminal(0, false);

  /** Set by the launcher, which can ask; Java cannot ask about standard error alone. */
  private static final String COLUMNS_PROPERTY = "packhorse.columns";

  /** That of this process. */
  static Terminal ofProcess() {
    return of(Integer.getInteger(COLUMNS_PROPERTY, 0), System.getenv());
  }

  /**
   * @param columns 0 for no terminal
   */
  static Terminal of(int columns, Map<String, String> environment) {
    if (columns <= 0 || environment.getOrDefault("TERM", "dumb").equals("dumb")) {
      return NONE;
    }
    return new Terminal(columns, environment.getOrDefault("NO_COLOR", "").isEmpty());
  }

  boolean redraws() {
    return columns > 0;
  }
}
