package io.packhorse.loader.source.table;

import io.packhorse.loader.source.input.InputException;

/**
 * A table can be read in more than one way, and the wrong one would lose or invent points: the user
 * has to choose. Holds the best guess, as a template for a mapping file.
 */
public final class UnsureGuessException extends InputException {
  private static final long serialVersionUID = 1;

  private final transient TableMapping template;

  /**
   * @param sentence what is unclear, how the rows would be read, and which options settle it
   * @param template the mapping that was not used
   */
  UnsureGuessException(String sentence, TableMapping template) {
    super(sentence);
    this.template = template;
  }

  /** The mapping that was not used. */
  public TableMapping template() {
    return template;
  }
}
