package io.packhorse.schema.uid;

/**
 * Bytes per UID of each kind: {@code tsd.storage.uid.width.metric}, {@code .tagk}, {@code .tagv}.
 *
 * <p>A property of the tables for ever, read from the TSD's settings and never guessed.
 *
 * @param metric 1 to {@link #MAX} bytes
 * @param tagk 1 to {@link #MAX} bytes
 * @param tagv 1 to {@link #MAX} bytes
 */
public record UidWidths(int metric, int tagk, int tagv) {
  /** Largest width that OpenTSDB accepts. */
  public static final int MAX = 8;

  /** OpenTSDB's widths where nothing is set. */
  public static final UidWidths DEFAULT = new UidWidths(3, 3, 3);

  public UidWidths {
    check(UidKind.METRIC, metric);
    check(UidKind.TAGK, tagk);
    check(UidKind.TAGV, tagv);
  }

  /** Width of one kind. */
  public int of(UidKind kind) {
    return switch (kind) {
      case METRIC -> metric;
      case TAGK -> tagk;
      case TAGV -> tagv;
    };
  }

  private static void check(UidKind kind, int width) {
    if (width < 1 || width > MAX) {
      throw new IllegalArgumentException(
          "UID width must be 1 to "
              + MAX
              + " bytes: kind="
              + kind.qualifier()
              + ", width="
              + width);
    }
  }
}
