package io.packhorse.loader.pipeline;

import java.io.IOException;
import java.util.Locale;

/** The heap is too small for the series of a load. */
public final class HeapFullException extends IOException {
  private static final long serialVersionUID = 1;

  /** Share of a heap that series and open hours may fill and a load still runs well. */
  private static final double FILLED_SHARE = 0.7;

  private static final long MIB = 1 << 20;
  private static final long STEP_MIB = 64;

  private final long heapBytes;
  private final int series;

  /**
   * @param heapBytes that the heap may have
   * @param series in it
   */
  public HeapFullException(long heapBytes, int series) {
    super("the heap of " + heapBytes / MIB + " MiB is too small for " + series + " series");
    this.heapBytes = heapBytes;
    this.series = series;
  }

  /**
   * What happened, and which heap the whole load is likely to need.
   *
   * @param shareRead of the input, 0 to 1, which has brought the series so far; negative if that is
   *     not known, or no more series will come
   */
  public String sentence(double shareRead) {
    if (series == 0) {
      return String.format(
          Locale.ROOT,
          "the heap of %,d MiB is full; set PACKHORSE_HEAP=%s",
          heapBytes / MIB,
          wanted((double) heapBytes));
    }
    // All that is in a full heap, open hours included, follows from the series.
    long bytesOfOne = heapBytes / series;
    boolean more = shareRead > 0 && shareRead < 1;
    long all = more ? Math.round(series / shareRead) : series;
    return String.format(
        Locale.ROOT,
        "the heap of %,d MiB is full with %,d series, about %,d B each%s; set PACKHORSE_HEAP=%s,"
            + " an estimate%s",
        heapBytes / MIB,
        series,
        bytesOfOne,
        more
            ? String.format(
                Locale.ROOT, ", and %d %% of the input is read", Math.round(100 * shareRead))
            : "",
        wanted(all * (double) bytesOfOne),
        more
            ? String.format(Locale.ROOT, " for the %,d series that all of it would have", all)
            : "");
  }

  /** The heap for so much, as the JVM takes it. */
  private static String wanted(double bytes) {
    long mib = (long) Math.ceil(bytes / FILLED_SHARE / MIB / STEP_MIB) * STEP_MIB;
    return mib < 4096 ? mib + "m" : (mib + 1023) / 1024 + "g";
  }
}
