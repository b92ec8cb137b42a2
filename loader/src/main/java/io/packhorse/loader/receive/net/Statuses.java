package io.packhorse.loader.receive.net;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.packhorse.loader.receive.RefusedBodyException;

/** Status codes. Clients drop what gets a 4xx and repeat what gets a 503. */
final class Statuses {
  private Statuses() {}

  static HttpResponseStatus of(RefusedBodyException e) {
    return switch (e.why()) {
      case MALFORMED -> HttpResponseStatus.BAD_REQUEST;
      case TOO_LARGE -> HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
      case BUSY, ENDED -> HttpResponseStatus.SERVICE_UNAVAILABLE;
    };
  }
}
