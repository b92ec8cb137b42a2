package io.packhorse.loader.source.opentsdb;

import io.packhorse.loader.source.text.Lines;
import io.packhorse.loader.source.text.Spellings;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which series follows which: lines mostly come round in the same order, so that a look at the
 * bytes expected next saves looking the series up. One thread.
 */
final class LikelySeries {
  /** Instead of a series: nothing is known. */
  static final int NONE = -1;

  private final Spellings known;

  /** By series: metric, a space, tags, as they stood last. */
  private byte[] @Nullable [] spellings = new byte[128][];

  private int[] metricLengths = new int[128];

  /** By series: the one that came after it, plus one. */
  private int[] followers = new int[128];

  private int last = NONE;

  /**
   * @param known has spellings of the series met here, as many as it has room for
   */
  LikelySeries(Spellings known) {
    this.known = known;
  }

  /** The series that is likely next, or {@link #NONE}. */
  int next() {
    return last < 0 ? NONE : followers[last] - 1;
  }

  /** Its spelling: metric, a space, tags. */
  byte[] spelling(int series) {
    byte[] spelling = spellings[series];
    if (spelling == null) {
      throw new IllegalStateException("series was not met: series=" + series);
    }
    return spelling;
  }

  /** Length of the metric in its spelling. */
  int metricLength(int series) {
    return metricLengths[series];
  }

  /** Takes note of a series that was the likely one. */
  void metLikely(int series) {
    last = series;
  }

  /** Takes note of any series, which stands there in these bytes. */
  void met(int series, byte[] buffer, int metricFrom, int metricTo, int tagsFrom, int tagsTo) {
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
