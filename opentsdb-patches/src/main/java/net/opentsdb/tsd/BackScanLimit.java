package net.opentsdb.tsd;

import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/** How far back a last-point query may search: each hour is a read of its own. */
@NullMarked
final class BackScanLimit {
  /** A year. */
  static final int HOURS_MAX = 8_784;

  private BackScanLimit() {}

  /**
   * Checks the number of hours asked for.
   *
   * @throws BadRequestException 400 if it is too large
   */
  static void check(int hours) {
    if (hours > HOURS_MAX) {
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST,
          "back_scan=" + hours + " is too far back: " + HOURS_MAX + " hours at most");
    }
  }
}
