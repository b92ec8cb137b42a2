package io.packhorse.loader.job;

/**
 * How many rejected lines, or replaced points, end a load.
 *
 * @param lines most of them
 * @param share their largest share of all lines or points, 0 to 1; checked from {@link
 *     #SAMPLE_LINES} lines on and at the end
 */
public record RejectBudget(long lines, double share) {
  /** Any number. */
  public static final RejectBudget UNLIMITED = new RejectBudget(Long.MAX_VALUE, 1);

  /** With fewer lines a share says little. */
  public static final long SAMPLE_LINES = 10_000;

  /**
   * Whether a number is more than allowed.
   *
   * @param counted rejected lines, or replaced points
   * @param all lines, or points
   */
  public boolean exceededBy(long counted, long all, boolean atTheEnd) {
    return counted > lines || ((atTheEnd || all >= SAMPLE_LINES) && counted > share * all);
  }
}
