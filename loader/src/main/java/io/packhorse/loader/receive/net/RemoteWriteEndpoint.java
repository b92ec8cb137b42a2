package io.packhorse.loader.receive.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.packhorse.loader.receive.BodyEncoding;
import io.packhorse.loader.receive.BodyFormat;
import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.Intake.Taken;
import io.packhorse.loader.receive.RefusedBodyException;
import io.packhorse.loader.source.record.RejectedRecord;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prometheus' remote write 1.0 and 2.0. Senders repeat what got a 5xx and drop what got a 4xx, so
 * good samples of a request are kept beside rejected ones.
 */
final class RemoteWriteEndpoint implements Endpoint {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String PLAIN_TEXT = "text/plain; charset=UTF-8";

  private final CurrentIntake intake;

  RemoteWriteEndpoint(CurrentIntake intake) {
    this.intake = intake;
  }

  /** Whether a body of this type can only be remote write. */
  static boolean takes(@Nullable String contentType) {
    return contentType != null && contentType.toLowerCase(Locale.ROOT).startsWith(PROTOBUF);
  }

  @Override
  public HttpAnswer answer(HttpCall call) {
    if (!call.method().equals(HttpMethod.POST)) {
      return error(HttpResponseStatus.METHOD_NOT_ALLOWED, "write with POST");
    }
    Optional<BodyFormat> format = format(call.head().headers().get(HttpHeaderNames.CONTENT_TYPE));
    if (format.isEmpty() || !call.has(HttpHeaderNames.CONTENT_ENCODING, "snappy")) {
      return error(
          HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
          "use Prometheus' remote write 1.0 or 2.0: Content-Type "
              + PROTOBUF
              + ", Content-Encoding snappy");
    }
    Taken taken;
    try {
      taken = intake.take(call.body(format.get(), BodyEncoding.SNAPPY));
    } catch (RefusedBodyException e) {
      return error(Statuses.of(e), String.valueOf(e.getMessage()));
    }
    HttpAnswer answer = HttpAnswer.empty();
    if (taken.rejected() > 0) {
      RejectedRecord first = taken.rejects().get(0);
      answer =
          error(
              HttpResponseStatus.BAD_REQUEST,
              taken.rejected()
                  + " samples were rejected, the others are stored; the first: "
                  + first.text()
                  + ": "
                  + first.reason());
    }
    if (format.get() == BodyFormat.REMOTE_WRITE_2) {
      answer = answer.with(written(taken));
    }
    return answer.whenDurable();
  }

  /** What a sender of version 2.0 compares with what it has sent. */
  private static Map<String, String> written(Taken taken) {
    return Map.of(
        "X-Prometheus-Remote-Write-Samples-Written",
        String.valueOf(taken.points() + taken.leftOut()),
        "X-Prometheus-Remote-Write-Histograms-Written",
        "0",
        "X-Prometheus-Remote-Write-Exemplars-Written",
        "0");
  }

  private static Optional<BodyFormat> format(@Nullable String contentType) {
    if (!takes(contentType)) {
      return Optional.empty();
    }
    String[] parts = String.valueOf(contentType).split(";", -1);
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("proto=")) {
        return switch (parameter.substring("proto=".length())) {
          case "prometheus.WriteRequest" -> Optional.of(BodyFormat.REMOTE_WRITE_1);
          case "io.prometheus.write.v2.Request" -> Optional.of(BodyFormat.REMOTE_WRITE_2);
          default -> Optional.empty();
        };
      }
    }
    return Optional.of(BodyFormat.REMOTE_WRITE_1);
  }

  @Override
  public HttpAnswer error(HttpResponseStatus status, String sentence) {
    return HttpAnswer.text(status, PLAIN_TEXT, sentence + "\n");
  }
}
