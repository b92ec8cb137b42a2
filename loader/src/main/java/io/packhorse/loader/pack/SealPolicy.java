package io.packhorse.loader.pack;

/**
 * When an hour is sealed before the input ends, and how much memory open hours may take.
 *
 * @param openHoursPerSeries newest hours of a series that are open at once, 0 to 16. With 2, points
 *     up to an hour late still join their hour; with 0, an hour is sealed at the end of its run;
 *     {@link Integer#MAX_VALUE} keeps all of them open until the end
 * @param openBytesMax memory for open hours, over all packers of a load; above it they are spilled
 *     to disk
 * @param idleSeconds an hour that is over is sealed when it got no point for so long; 0 for never
 * @param visibleSeconds open hours are also stored while they grow, so that points can be read
 *     after about so long; 0 for not before they are sealed
 * @param hoursComeOnce whether each hour of a series comes as one run, and never again: nothing has
 *     to be remembered of a series. Open hours per series are 0 then
 */
public record SealPolicy(
    int openHoursPerSeries,
    long openBytesMax,
    int idleSeconds,
    int visibleSeconds,
    boolean hoursComeOnce) {
  /** Open hours take up to 1/4 of the heap. */
  private static final long OPEN_BYTES_SHARE = 4;

  private static final long OPEN_BYTES = Runtime.getRuntime().maxMemory() / OPEN_BYTES_SHARE;

  /**
   * For input whose runs are whole hours, each of which comes once: cells come out in the order of
   * the runs.
   */
  public static final SealPolicy WHOLE_HOURS = new SealPolicy(0, OPEN_BYTES, 0, 0, true);

  /** For input in time order within each series. */
  public static final SealPolicy IN_ORDER = new SealPolicy(1, OPEN_BYTES, 0);

  /** For files: points up to an hour late join their hour. */
  public static final SealPolicy FILES = new SealPolicy(2, OPEN_BYTES, 0);

  /** For pipes, which may be slow and may never end. */
  public static final SealPolicy PIPES = new SealPolicy(2, OPEN_BYTES, 600);

  /**
   * For live points, which can be read after a while.
   *
   * @param visibleSeconds as above
   */
  public static SealPolicy live(int visibleSeconds) {
    return new SealPolicy(2, OPEN_BYTES, 600, visibleSeconds);
  }

  /** For counting: all points of an hour meet, in whatever order they come. */
  public static final SealPolicy AT_THE_END = new SealPolicy(Integer.MAX_VALUE, OPEN_BYTES, 0);

  public SealPolicy {
    if (openHoursPerSeries < 0
        || (openHoursPerSeries > 16 && openHoursPerSeries != Integer.MAX_VALUE)
        || openBytesMax < 1
        || idleSeconds < 0
        || visibleSeconds < 0
        || (hoursComeOnce && openHoursPerSeries != 0)) {
      throw new IllegalArgumentException(
          "a seal policy needs 0 to 16 open hours, memory for them and an idle time of 0 or more:"
              + " openHoursPerSeries="
              + openHoursPerSeries
              + ", openBytesMax="
              + openBytesMax
              + ", idleSeconds="
              + idleSeconds);
    }
  }

  /** Open hours are not stored before they are sealed. */
  public SealPolicy(int openHoursPerSeries, long openBytesMax, int idleSeconds) {
    this(openHoursPerSeries, openBytesMax, idleSeconds, 0);
  }

  /** Hours may come in several runs. */
  public SealPolicy(
      int openHoursPerSeries, long openBytesMax, int idleSeconds, int visibleSeconds) {
    this(openHoursPerSeries, openBytesMax, idleSeconds, visibleSeconds, false);
  }

  /** Whether no hour is sealed before the end. */
  boolean sealsAtTheEnd() {
    return openHoursPerSeries == Integer.MAX_VALUE;
  }

  /** The policy of one of several packers that share the memory. */
  public SealPolicy forOneOf(int packers) {
    return new SealPolicy(
        openHoursPerSeries,
        Math.max(1, openBytesMax / packers),
        idleSeconds,
        visibleSeconds,
        hoursComeOnce);
  }
}
