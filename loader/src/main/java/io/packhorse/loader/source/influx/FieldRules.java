package io.packhorse.loader.source.influx;

/**
 * What becomes of fields that are not numbers, and of records without a timestamp. By default they
 * are rejects.
 *
 * @param skipsText whether text is left out, and not counted as a reject
 * @param storesBooleans whether true and false are stored as 1 and 0
 * @param timestampOfAll time of records without one, milliseconds since 1970, or {@link #NONE}
 */
public record FieldRules(boolean skipsText, boolean storesBooleans, long timestampOfAll) {
  /** Instead of a timestamp. */
  public static final long NONE = 0;

  /** All of them are rejects. */
  public static final FieldRules REJECT = new FieldRules(false, false);

  /** Records without a timestamp are rejects. */
  public FieldRules(boolean skipsText, boolean storesBooleans) {
    this(skipsText, storesBooleans, NONE);
  }
}
