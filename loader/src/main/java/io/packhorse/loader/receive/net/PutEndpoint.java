package io.packhorse.loader.receive.net;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.packhorse.loader.receive.BodyFormat;
import io.packhorse.loader.receive.CurrentIntake;
import io.packhorse.loader.receive.Intake.Taken;
import io.packhorse.loader.receive.RefusedBodyException;
import io.packhorse.loader.source.record.RejectedRecord;

/**
 * OpenTSDB's {@code /api/put}. Unlike there, an answer means that the points are on disk, with and
 * without {@code sync}.
 */
final class PutEndpoint implements Endpoint {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final CurrentIntake intake;

  PutEndpoint(CurrentIntake intake) {
    this.intake = intake;
  }

  @Override
  public HttpAnswer answer(HttpCall call) {
    if (!call.method().equals(HttpMethod.POST)) {
      return error(
          HttpResponseStatus.METHOD_NOT_ALLOWED,
          "The HTTP method [" + call.method() + "] is not permitted for this endpoint");
    }
    Taken taken;
    try {
      taken = intake.take(call.body(BodyFormat.PUT_JSON));
    } catch (RefusedBodyException e) {
      return error(Statuses.of(e), String.valueOf(e.getMessage()));
    }
    if (taken.points() + taken.leftOut() + taken.rejected() == 0) {
      return error(HttpResponseStatus.BAD_REQUEST, "No datapoints found in content");
    }
    HttpResponseStatus status =
        taken.rejected() > 0 ? HttpResponseStatus.BAD_REQUEST : HttpResponseStatus.OK;
    boolean details = call.parameter("details") != null;
    if (details || call.parameter("summary") != null) {
      return HttpAnswer.json(status, summary(taken, details)).whenDurable();
    }
    return taken.rejected() == 0
        ? HttpAnswer.empty().whenDurable()
        : error(
                status,
                "One or more data points had errors",
                taken.rejected()
                    + " of the request's points were rejected, the others are stored: append"
                    + " \"details\" to the put request to see them")
            .whenDurable();
  }

  private static String summary(Taken taken, boolean details) {
    ObjectNode summary = JSON.createObjectNode();
    summary.put("success", taken.points() + taken.leftOut());
    summary.put("failed", taken.rejected());
    if (details) {
      ArrayNode errors = summary.putArray("errors");
      for (RejectedRecord each : taken.rejects()) {
        ObjectNode error = errors.addObject();
        try {
          error.set("datapoint", JSON.readTree(each.text()));
        } catch (JsonProcessingException cutOff) {
          error.put("datapoint", each.text());
        }
        error.put("error", each.reason().toString());
      }
    }
    return summary.toString();
  }

  @Override
  public HttpAnswer error(HttpResponseStatus status, String sentence) {
    return error(status, sentence, "");
  }

  private static HttpAnswer error(HttpResponseStatus status, String sentence, String details) {
    ObjectNode body = JSON.createObjectNode();
    ObjectNode error = body.putObject("error");
    error.put("code", status.code());
    error.put("message", sentence);
    if (!details.isEmpty()) {
      error.put("details", details);
    }
    return HttpAnswer.json(status, body.toString());
  }
}
