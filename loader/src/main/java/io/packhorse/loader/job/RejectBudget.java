package io.packhorse.loader.job;

/**
 * How many rejected lines end a load.
 *
 * @param lines most rejected lines
 * @param share largest share of all lines that may be rejected, 0 to 1; checked from {@link
 *     #SAMPLE_LINES} lines on and at the end
 */
public record RejectBudget(long lines, double share) {
  /** Any number. */
  public static final RejectBudget UNLIMITED = new RejectBudget(Long.MAX_VALUE, 1);

  /** With fewer lines a share says little. */
  public static final long SAMPLE_LINES = 10_000;

  /** Whether this number of rejects is more than allowed. */
  public boolean exceededBy(long rejected, long allLines, boolean atTheEnd) {
    return rejected > lines
        || ((atTheEnd || allLines >= SAMPLE_LINES) && rejected > share * allLines);
  }
}
