package io.packhorse.loader.source;

/**
 * A position between two points of a source, from which it can be read again.
 *
 * @param input number of the input, from 0
 * @param offset uncompressed bytes of the input before the position; rows of a Parquet file,
 *     batches of generated points
 * @param line number of the line or row that begins there, from 1; of generated points 0
 */
public record SourcePosition(int input, long offset, long line) {
  /** Where files of lines begin. */
  public static final SourcePosition START = new SourcePosition(0, 0, 1);

  public SourcePosition {
    if (input < 0 || offset < 0 || line < 0) {
      throw new IllegalArgumentException(
          "position must not be negative: input="
              + input
              + ", offset="
              + offset
              + ", line="
              + line);
    }
  }
}
