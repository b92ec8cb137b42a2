package io.packhorse.loader.source.table;

import io.packhorse.loader.source.record.TimeReader;
import io.packhorse.schema.key.BaseTime;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/** Converts local times to UTC by the rules of a zone. Immutable. */
public final class LocalTimes {
  private final ZoneRules rules;
  private final Dst dst;

  LocalTimes(ZoneId zone, Dst dst) {
    this.rules = zone.getRules();
    this.dst = dst;
  }

  /** Local times of another zone, with the same rule for clock changes. */
  LocalTimes in(ZoneId zone) {
    return new LocalTimes(zone, dst);
  }

  /**
   * The time that clocks show so.
   *
   * @param seconds what would be seconds since 1970 if the zone were UTC
   * @param milli 0 to 999
   * @return as {@link TimeReader#millis}
   */
  public long millis(long seconds, int milli) {
    if (seconds < -BaseTime.HOUR_SECONDS * 24L || seconds > 2 * BaseTime.MAX_SECONDS) {
      return TimeReader.OUT_OF_RANGE;
    }
    if (rules.isFixedOffset()) {
      return at(seconds, milli, rules.getOffset(LocalDateTime.MIN));
    }
    LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.size() == 1) {
      return at(seconds, milli, offsets.get(0));
    }
    ZoneOffsetTransition change = rules.getTransition(local);
    return switch (dst) {
      case REJECT ->
          offsets.isEmpty() ? TimeReader.NONEXISTENT_LOCAL_TIME : TimeReader.AMBIGUOUS_LOCAL_TIME;
      case EARLIER -> at(seconds, milli, change.getOffsetBefore());
      case LATER -> at(seconds, milli, change.getOffsetAfter());
    };
  }

  /** As {@link #millis}, by the offset that stands beside the time. */
  static long at(long seconds, int milli, ZoneOffset offset) {
    return TimeReader.inRange((seconds - offset.getTotalSeconds()) * 1000 + milli);
  }
}
