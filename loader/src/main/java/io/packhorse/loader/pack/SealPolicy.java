package io.packhorse.loader.pack;

/**
 * When an hour is done, apart from the end of input.
 *
 * @param openHoursPerSeries hours of one series kept open at once, up to 16: with 2, points up to
 *     an hour late still join their hour; with 0, hours are sealed at the end of the run they come
 *     in
 * @param openPointsMax points held open in one packer over all series; above it the oldest hours
 *     are sealed
 */
public record SealPolicy(int openHoursPerSeries, long openPointsMax) {
  /** For input whose runs hold hours in full: cells come out in the order of the runs. */
  public static final SealPolicy WHOLE_HOURS = new SealPolicy(0, 16_000_000);

  /** For input that is in time order within each series. */
  public static final SealPolicy IN_ORDER = new SealPolicy(1, 16_000_000);

  /** For files: points up to an hour late cost nothing. */
  public static final SealPolicy FILES = new SealPolicy(2, 16_000_000);

  public SealPolicy {
    if (openHoursPerSeries < 0 || openHoursPerSeries > 16 || openPointsMax < 1) {
      throw new IllegalArgumentException(
          "seal policy needs 0 to 16 open hours and room for a point: openHoursPerSeries="
              + openHoursPerSeries
              + ", openPointsMax="
              + openPointsMax);
    }
  }
}
