package io.packhorse.loader.pack;

/**
 * When an hour is done, apart from the end of input.
 *
 * @param openHoursPerSeries hours of one series kept open at once, 1 to 16: with 2, points up to an
 *     hour late still join their hour
 * @param openPointsMax points held open in one packer over all series; above it the oldest hours
 *     are sealed
 */
public record SealPolicy(int openHoursPerSeries, long openPointsMax) {
  /** For input that is in time order within each series. */
  public static final SealPolicy IN_ORDER = new SealPolicy(1, 16_000_000);

  /** For files: points up to an hour late cost nothing. */
  public static final SealPolicy FILES = new SealPolicy(2, 16_000_000);

  public SealPolicy {
    if (openHoursPerSeries < 1 || openHoursPerSeries > 16 || openPointsMax < 1) {
      throw new IllegalArgumentException(
          "seal policy needs 1 to 16 open hours and room for a point: openHoursPerSeries="
              + openHoursPerSeries
              + ", openPointsMax="
              + openPointsMax);
    }
  }
}
