package net.opentsdb.tsd;

import java.util.Locale;
import java.util.Set;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Requests that a page of another site makes with the browser of somebody who can reach the TSD.
 *
 * <p>Browsers say so themselves in {@code Sec-Fetch-Site}; scripts and collectors do not send it.
 * Following a link stays possible, and so does what {@code tsd.http.request.cors_domains} allows.
 */
@NullMarked
final class CrossSite {
  private CrossSite() {}

  /**
   * Before anything of the request is carried out.
   *
   * @param origins upper-case origins that CORS allows, {@code *} for any; null for none
   * @throws BadRequestException 403
   */
  static void check(HttpRequest request, @Nullable Set<String> origins) {
    if (!"cross-site".equals(request.headers().get("Sec-Fetch-Site"))) {
      return;
    }
    String origin = request.headers().get("Origin");
    boolean allowed =
        origins != null
            && (origins.contains("*")
                || (origin != null && origins.contains(origin.toUpperCase(Locale.ROOT))));
    boolean link =
        request.getMethod().equals(HttpMethod.GET)
            && "navigate".equals(request.headers().get("Sec-Fetch-Mode"))
            && !request.getUri().contains("method_override");
    if (!allowed && !link) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "Pages of other sites may not use this TSD; tsd.http.request.cors_domains names those"
              + " that may");
    }
  }
}
