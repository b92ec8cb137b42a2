package io.packhorse.loader.pack;

/**
 * When an hour is done, apart from the end of input, and what memory the open ones may take.
 *
 * @param openHoursPerSeries hours of one series kept open at once, up to 16: with 2, points up to
 *     an hour late still join their hour; with 0, hours are sealed at the end of the run they come
 *     in
 * @param openBytesMax memory for hours that are open, over all packers of a load; above it they go
 *     to disk
 * @param idleSeconds by the clock, after which an hour that is over and gets no more points is
 *     sealed; 0 if the clock is not asked
 */
public record SealPolicy(int openHoursPerSeries, long openBytesMax, int idleSeconds) {
  /** Of the heap, one part of this many. */
  private static final long OPEN_BYTES_SHARE = 4;

  private static final long OPEN_BYTES = Runtime.getRuntime().maxMemory() / OPEN_BYTES_SHARE;

  /** For input whose runs hold hours in full: cells come out in the order of the runs. */
  public static final SealPolicy WHOLE_HOURS = new SealPolicy(0, OPEN_BYTES, 0);

  /** For input that is in time order within each series. */
  public static final SealPolicy IN_ORDER = new SealPolicy(1, OPEN_BYTES, 0);

  /** For files: points up to an hour late cost nothing. */
  public static final SealPolicy FILES = new SealPolicy(2, OPEN_BYTES, 0);

  /** For what may come slowly and never end. */
  public static final SealPolicy PIPES = new SealPolicy(2, OPEN_BYTES, 600);

  public SealPolicy {
    if (openHoursPerSeries < 0 || openHoursPerSeries > 16 || openBytesMax < 1 || idleSeconds < 0) {
      throw new IllegalArgumentException(
          "seal policy needs 0 to 16 open hours, room for them, and a time of 0 or more:"
              + " openHoursPerSeries="
              + openHoursPerSeries
              + ", openBytesMax="
              + openBytesMax
              + ", idleSeconds="
              + idleSeconds);
    }
  }

  /** The policy of one packer of several. */
  public SealPolicy ofOne(int packers) {
    return new SealPolicy(openHoursPerSeries, Math.max(1, openBytesMax / packers), idleSeconds);
  }
}
