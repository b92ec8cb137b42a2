package io.packhorse.schema.bytes;

/**
 * Stored bytes that break a rule of the format: where, what was expected, what was found.
 *
 * <p>The one exception of every decoder in this module (a cell of a newer version has a subtype).
 * It is checked because the bytes come from outside; a decoder never throws an index error, never
 * hangs and never allocates beyond its stated limit, whatever it is given.
 */
public class MalformedCellException extends Exception {
  private static final long serialVersionUID = 1;

  private final int offset;

  /**
   * @param offset byte offset in the value (or, where the message says so, in the qualifier)
   * @param rule the rule and its numbers, as in {@code "point count must be at least 1: count=0"}
   */
  public MalformedCellException(int offset, String rule) {
    super(rule + ", offset=" + offset);
    this.offset = offset;
  }

  /** Byte offset at which the rule is broken, counted from the first byte of the cell. */
  public int offset() {
    return offset;
  }
}
