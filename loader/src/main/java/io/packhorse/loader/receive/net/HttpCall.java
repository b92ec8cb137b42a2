package io.packhorse.loader.receive.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.packhorse.loader.receive.BodyEncoding;
import io.packhorse.loader.receive.BodyFormat;
import io.packhorse.loader.receive.ReceivedBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole request.
 *
 * @param uri path and parameters
 * @param body as it came, perhaps compressed
 * @param client address it came from
 * @param receivedMs when, milliseconds since 1970
 * @param receivedNanos the same by {@link System#nanoTime}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpCall(
    HttpRequest head,
    QueryStringDecoder uri,
    byte[] body,
    String client,
    long receivedMs,
    long receivedNanos) {
  HttpMethod method() {
    return head.method();
  }

  /** A parameter of the URL, or of the body if that is a form; null if it is in neither. */
  @Nullable String parameter(String name) {
    List<String> values = uri.parameters().get(name);
    if (values == null && has(HttpHeaderNames.CONTENT_TYPE, "application/x-www-form-urlencoded")) {
      String form = new String(body, StandardCharsets.UTF_8);
      values = new QueryStringDecoder(form, false).parameters().get(name);
    }
    return values == null || values.isEmpty() ? null : values.get(0);
  }

  /** Whether a header begins with a word. */
  boolean has(CharSequence header, String word) {
    String value = head.headers().get(header);
    return value != null && value.regionMatches(true, 0, word, 0, word.length());
  }

  /** The body, which is plain or in gzip as its header says. */
  ReceivedBody body(BodyFormat format) {
    boolean gzip = has(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    return body(format, gzip ? BodyEncoding.GZIP : BodyEncoding.PLAIN);
  }

  ReceivedBody body(BodyFormat format, BodyEncoding encoding) {
    return new ReceivedBody(format, encoding, receivedMs, client, body);
  }
}
