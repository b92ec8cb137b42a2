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
 * <p>Browsers mark them in {@code Sec-Fetch-Site}, but only to loopback and TLS servers, and in
 * {@code Origin}, to all servers, except for plain GETs. Scripts and collectors send neither. What
 * {@code tsd.http.request.cors_domains} allows passes, and so does a link that a user follows.
 */
@NullMarked
final class CrossSite {
  private CrossSite() {}

  /**
   * To be called before a request is carried out.
   *
   * @param origins upper-case origins that CORS allows, {@code *} for any; null for none
   * @throws BadRequestException 403
   */
  static void check(HttpRequest request, @Nullable Set<String> origins) {
    String origin = request.headers().get("Origin");
    String site = request.headers().get("Sec-Fetch-Site");
    boolean foreignSite = "cross-site".equals(site) || "same-site".equals(site);
    boolean foreignOrigin = origin != null && !isOwn(origin, request.headers().get("Host"));
    if (!foreignSite && !foreignOrigin) {
      return;
    }
    boolean allowed =
        origins != null
            && (origins.contains("*")
                || (origin != null && origins.contains(origin.toUpperCase(Locale.ROOT))));
    boolean link =
        !foreignOrigin
            && request.getMethod().equals(HttpMethod.GET)
            && "navigate".equals(request.headers().get("Sec-Fetch-Mode"));
    if (!allowed && !link) {
      throw new BadRequestException(
          HttpResponseStatus.FORBIDDEN,
          "Pages of other sites may not use this TSD; list a site in"
              + " tsd.http.request.cors_domains to allow it");
    }
  }

  /**
   * Whether an origin is the server that the request was sent to. Schemes are not compared, since a
   * proxy may end TLS, and neither is a default port that only one side names.
   */
  static boolean isOwn(String origin, @Nullable String host) {
    int authority = origin.indexOf("://");
    if (authority < 0 || host == null) {
      return false;
    }
    return withoutDefaultPort(origin.substring(authority + 3))
        .equals(withoutDefaultPort(host.strip()));
  }

  private static String withoutDefaultPort(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(":80") || lower.endsWith(":443") ? HostNames.withoutPort(lower) : lower;
  }
}
