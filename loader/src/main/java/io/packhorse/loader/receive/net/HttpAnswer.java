package io.packhorse.loader.receive.net;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer to a request.
 *
 * @param durable whether it says that points were taken: it is sent once they are on disk
 */
record HttpAnswer(
    HttpResponseStatus status,
    String contentType,
    String body,
    Map<String, String> headers,
    boolean durable) {
  private static final String JSON = "application/json; charset=UTF-8";

  /** An answer in JSON, which may be sent at once. */
  static HttpAnswer json(HttpResponseStatus status, String body) {
    return new HttpAnswer(status, JSON, body, Map.of(), false);
  }

  static HttpAnswer text(HttpResponseStatus status, String type, String body) {
    return new HttpAnswer(status, type, body, Map.of(), false);
  }

  /** Status 204. */
  static HttpAnswer empty() {
    return new HttpAnswer(HttpResponseStatus.NO_CONTENT, "", "", Map.of(), false);
  }

  /** The same, sent once what was taken is on disk. */
  HttpAnswer whenDurable() {
    return new HttpAnswer(status, contentType, body, headers, true);
  }

  HttpAnswer with(Map<String, String> more) {
    return new HttpAnswer(status, contentType, body, more, durable);
  }

  byte[] bytes() {
    return body.getBytes(StandardCharsets.UTF_8);
  }
}
