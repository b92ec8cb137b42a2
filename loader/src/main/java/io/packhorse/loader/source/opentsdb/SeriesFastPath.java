package io.packhorse.loader.source.opentsdb;

import io.packhorse.loader.source.record.ByteKeyIndex;
import io.packhorse.loader.source.text.Lines;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which series follows which: lines usually repeat one order, so that comparing the bytes expected
 * next saves a look-up. One thread.
 */
final class SeriesFastPath {
  /** Instead of a series: unknown. */
  static final int NONE = -1;

  private final ByteKeyIndex known;

  /** By series: metric, a space, tags, as in its last line. */
  private byte[] @Nullable [] spellings = new byte[128][];

  private int[] metricLengths = new int[128];

  /** By series: the series that followed it last, plus one. */
  private int[] followers = new int[128];

  private int last = NONE;

  /**
   * @param known index of the keys seen, as many as it has room for
   */
  SeriesFastPath(ByteKeyIndex known) {
    this.known = known;
  }

  /** The series expected next, or {@link #NONE}. */
  int next() {
    return last < 0 ? NONE : followers[last] - 1;
  }

  /** Its key: metric, a space, tags. */
  byte[] spelling(int series) {
    byte[] spelling = spellings[series];
    if (spelling == null) {
      throw new IllegalStateException("series was not seen before: series=" + series);
    }
    return spelling;
  }

  /** Length of the metric in its spelling. */
  int metricLength(int series) {
    return metricLengths[series];
  }

  /** Records that the expected series came. */
  void recordExpected(int series) {
    last = series;
  }

  /** Records a series that was parsed elsewhere, with its bytes. */
  void record(int series, byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
    if (series >= followers.length) {
      int length = Math.max(series + 1, 2 * followers.length);
      spellings = Arrays.copyOf(spellings, length);
      metricLengths = Arrays.copyOf(metricLengths, length);
      followers = Arrays.copyOf(followers, length);
    }
    int metricLength = metricTo - metricFrom;
    byte[] spelling = spellings[series];
    if (spelling == null
        || metricLengths[series] != metricLength
        || spelling.length != metricLength + 1 + tagsTo - tagsFrom
        || !Lines.startsWith(buffer, metricFrom, spelling, 0, metricLength)
        || !Lines.startsWith(buffer, tagsFrom, spelling, metricLength + 1, spelling.length)) {
      byte[] kept = known.spelling(buffer, metricFrom, metricTo, tagsFrom, tagsTo);
      if (kept == null) {
        last = NONE;
        return;
      }
      spellings[series] = kept;
      metricLengths[series] = metricLength;
    }
    if (last >= 0) {
      followers[last] = series + 1;
    }
    last = series;
  }
}
