package io.packhorse.schema.bytes;

/**
 * Stored bytes that break a rule of the format; the message has the rule, what was found and where.
 *
 * <p>The only exception that decoders of this module throw for bytes of any content (there is a
 * subtype for cells of another version). Whatever the bytes, a decoder never runs past the array,
 * never hangs and never allocates beyond its stated limit.
 */
public class MalformedCellException extends Exception {
  private static final long serialVersionUID = 1;

  private final int offset;

  /**
   * @param offset byte offset in the value, or in the qualifier if the message says so
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
