package net.opentsdb.tsd;

import net.opentsdb.core.TSDB;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/** Whether {@code /api/query/exp} answers: off by default. */
@NullMarked
final class ExpressionSwitch {
  static final String SETTING = "tsd.http.query.allow_exp";

  private ExpressionSwitch() {}

  /**
   * To be called before a body is parsed.
   *
   * @throws BadRequestException 403 if it is off
   */
  static void check(TSDB tsdb) {
    var config = tsdb.getConfig();
    if (!config.hasProperty(SETTING) || !config.getBoolean(SETTING)) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "/api/query/exp is switched off; "
              + SETTING
              + "=true enables it (/api/query/gexp is always on)");
    }
  }
}
