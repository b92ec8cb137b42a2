package io.packhorse.loader.pack;

/**
 * A series and a time that more than one point has.
 *
 * @param series its number
 * @param timeMs milliseconds since 1970
 */
public record RepeatedTime(int series, long timeMs) {}
