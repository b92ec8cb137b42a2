package net.opentsdb.tsd;

import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;

/**
 * The {@code jsonp} parameter: it let any page of any site read an answer, and put its value, as
 * given, in front of it.
 */
@NullMarked
final class Jsonp {
  private Jsonp() {}

  /**
   * Refuses a request with the parameter.
   *
   * @throws BadRequestException 400
   */
  static void check(HttpQuery query) {
    if (query.hasQueryStringParam("jsonp")) {
      // The serializer that writes the refusal would wrap it.
      query.getQueryString().remove("jsonp");
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST,
          "jsonp is removed; tsd.http.request.cors_domains names the sites that may read answers");
    }
  }
}
