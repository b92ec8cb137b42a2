package io.packhorse.loader.receive.net;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.packhorse.loader.receive.BodyFormat;
import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.Intake.Taken;
import io.packhorse.loader.receive.RefusedBodyException;
import io.packhorse.loader.source.record.RejectedRecord;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** InfluxDB's {@code /write} and {@code /api/v2/write}. */
final class InfluxEndpoint implements Endpoint {
  /** Clients read the first number of it. */
  private static final Map<String, String> HEADERS =
      Map.of("X-Influxdb-Build", "OSS", "X-Influxdb-Version", "1.8-packhorse");

  private static final int LINE_SHOWN = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final CurrentIntake intake;
  private final boolean version2;

  /**
   * @param version2 whether errors are those of InfluxDB 2
   */
  InfluxEndpoint(CurrentIntake intake, boolean version2) {
    this.intake = intake;
    this.version2 = version2;
  }

  /** That every answer to a client of InfluxDB has. */
  static Map<String, String> headers() {
    return HEADERS;
  }

  @Override
  public HttpAnswer answer(HttpCall call) {
    if (!call.method().equals(HttpMethod.POST)) {
      return error(HttpResponseStatus.METHOD_NOT_ALLOWED, "write with POST");
    }
    String precision = call.parameter("precision");
    Optional<BodyFormat> format = format(precision);
    if (format.isEmpty()) {
      return error(
          HttpResponseStatus.BAD_REQUEST,
          "invalid precision \"" + precision + "\": use ns, us, ms or s");
    }
    Taken taken;
    try {
      taken = intake.take(call.body(format.get()));
    } catch (RefusedBodyException e) {
      return error(Statuses.of(e), String.valueOf(e.getMessage()));
    }
    if (taken.rejected() == 0) {
      return HttpAnswer.empty().with(HEADERS).whenDurable();
    }
    RejectedRecord first = taken.rejects().get(0);
    String line = first.text();
    String why =
        "unable to parse '"
            + (line.length() > LINE_SHOWN ? line.substring(0, LINE_SHOWN) + "..." : line)
            + "': "
            + first.reason();
    return error(
            HttpResponseStatus.BAD_REQUEST,
            taken.points() == 0 ? why : "partial write: " + why + " dropped=" + taken.rejected())
        .whenDurable();
  }

  private static Optional<BodyFormat> format(@Nullable String precision) {
    if (precision == null) {
      return Optional.of(BodyFormat.LINES_NS);
    }
    return switch (precision) {
      case "", "n", "ns" -> Optional.of(BodyFormat.LINES_NS);
      case "u", "us", "\u00b5" -> Optional.of(BodyFormat.LINES_US);
      case "ms" -> Optional.of(BodyFormat.LINES_MS);
      case "s" -> Optional.of(BodyFormat.LINES_S);
      default -> Optional.empty();
    };
  }

  @Override
  public HttpAnswer error(HttpResponseStatus status, String sentence) {
    ObjectNode body = JSON.createObjectNode();
    if (version2) {
      body.put("code", code(status));
      body.put("message", sentence);
    } else {
      body.put("error", sentence);
    }
    return HttpAnswer.json(status, body.toString()).with(HEADERS);
  }

  private static String code(HttpResponseStatus status) {
    return switch (status.code()) {
      case 413 -> "request too large";
      case 401 -> "unauthorized";
      case 405 -> "method not allowed";
      case 503 -> "unavailable";
      default -> "invalid";
    };
  }
}
