package net.opentsdb.tsd;

import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * The commands that act on the TSD itself: dropping caches, changing log levels, ending it.
 *
 * <p>Off unless configured, and never accepted by GET, which any page in a browser can send. Any
 * thread.
 */
@NullMarked
final class AdminCommands {
  /** Setting that turns them on; false by default. */
  static final String SETTING = "tsd.core.enable_admin";

  private AdminCommands() {}

  /** Whether this TSD takes such commands, over HTTP or telnet. */
  static boolean enabled(Config config) {
    return config.hasProperty(SETTING) && config.getBoolean(SETTING);
  }

  /**
   * To be called before the command does anything.
   *
   * @throws BadRequestException 403 if they are off, 405 for a GET
   */
  static void check(TSDB tsdb, HttpQuery query) {
    if (!enabled(tsdb.getConfig())) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "This command is switched off; " + SETTING + "=true enables it");
    }
    checkMethod(query);
  }

  /**
   * For a command with a switch of its own.
   *
   * @throws BadRequestException 405 for a GET
   */
  static void checkMethod(HttpQuery query) {
    HttpMethod method = query.method();
    if (!method.equals(HttpMethod.POST) && !method.equals(HttpMethod.DELETE)) {
      throw new BadRequestException(
          HttpResponseStatus.METHOD_NOT_ALLOWED, "This command takes POST or DELETE only");
    }
  }
}
