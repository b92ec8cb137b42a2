package io.packhorse.loader.source.influx;

/**
 * What becomes of fields that are not numbers. By default they are rejects.
 *
 * @param skipsText whether text is left out, and not counted as a reject
 * @param storesBooleans whether true and false are stored as 1 and 0
 */
public record FieldRules(boolean skipsText, boolean storesBooleans) {
  /** All of them are rejects. */
  public static final FieldRules REJECT = new FieldRules(false, false);
}
