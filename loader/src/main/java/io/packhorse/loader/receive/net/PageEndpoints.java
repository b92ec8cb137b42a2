package io.packhorse.loader.receive.net;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.packhorse.loader.receive.ReceiverStatus;
import java.util.Locale;
import java.util.function.Function;

/** Requests that clients send beside points, and pages for operators. */
final class PageEndpoints {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final ReceiverStatus status;

  PageEndpoints(ReceiverStatus status) {
    this.status = status;
  }

  /** The page of a path; null if there is none. */
  @org.jspecify.annotations.Nullable
  Endpoint of(String path) {
    return switch (path) {
      case "/" ->
          page(
              call ->
                  HttpAnswer.text(
                      HttpResponseStatus.OK, "text/plain; charset=utf-8", status.text()));
      case "/metrics" ->
          page(call -> HttpAnswer.text(HttpResponseStatus.OK, PROMETHEUS, status.metrics()));
      case "/health" -> page(call -> health());
      case "/ping" -> page(call -> HttpAnswer.empty().with(InfluxEndpoint.headers()));
      case "/query" -> page(PageEndpoints::query);
      case "/exec" -> page(PageEndpoints::exec);
      case "/debug/vars" ->
          page(call -> HttpAnswer.json(HttpResponseStatus.OK, "{\"memstats\":{}}"));
      case "/version", "/api/version" -> page(call -> version());
      default -> null;
    };
  }

  private HttpAnswer health() {
    String problem = status.problem();
    ObjectNode body = JSON.createObjectNode();
    body.put("name", "packhorse");
    body.put("status", problem.isEmpty() ? "pass" : "fail");
    body.put("message", problem.isEmpty() ? status.readiness() : problem);
    return HttpAnswer.json(
        problem.isEmpty() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
        body.toString());
  }

  private HttpAnswer version() {
    ObjectNode body = JSON.createObjectNode();
    body.put("version", "2.4.1");
    body.put("short_revision", "packhorse");
    body.put("full_revision", status.version());
    body.put("timestamp", "0");
    body.put("repo_status", "MINT");
    body.put("user", "packhorse");
    body.put("host", "localhost");
    body.put("repo", "packhorse");
    body.put("branch", "main");
    return HttpAnswer.json(HttpResponseStatus.OK, body.toString());
  }

  /**
   * The statements that InfluxDB's clients send before they write. There is one database, which no
   * statement can drop.
   */
  private static HttpAnswer query(HttpCall call) {
    String q = call.parameter("q");
    String statement = q == null ? "" : q.strip().toLowerCase(Locale.ROOT);
    if (statement.startsWith("create database")) {
      return influx(HttpResponseStatus.OK, "{\"results\":[{\"statement_id\":0}]}");
    }
    if (statement.startsWith("show databases")) {
      return influx(
          HttpResponseStatus.OK,
          "{\"results\":[{\"statement_id\":0,\"series\":[{\"name\":\"databases\",\"columns\":[\"name\"],"
              + "\"values\":[[\"_internal\"]]}]}]}");
    }
    return influx(
        HttpResponseStatus.BAD_REQUEST,
        "{\"error\":\"packhorse receives points and answers SHOW DATABASES and CREATE DATABASE"
            + " only: query OpenTSDB\"}");
  }

  /** The one statement that QuestDB's loaders send: there are no tables. */
  private static HttpAnswer exec(HttpCall call) {
    String query = call.parameter("query");
    if (query == null || !query.strip().equalsIgnoreCase("show tables")) {
      return HttpAnswer.json(
          HttpResponseStatus.BAD_REQUEST,
          "{\"error\":\"packhorse receives points and answers SHOW TABLES only\"}");
    }
    return HttpAnswer.json(
        HttpResponseStatus.OK,
        "{\"query\":\"SHOW TABLES\",\"columns\":[{\"name\":\"table_name\",\"type\":\"STRING\"}],"
            + "\"dataset\":[],\"count\":0}");
  }

  private static HttpAnswer influx(HttpResponseStatus status, String json) {
    return HttpAnswer.json(status, json).with(InfluxEndpoint.headers());
  }

  private static Endpoint page(Function<HttpCall, HttpAnswer> answer) {
    return new Endpoint() {
      @Override
      public HttpAnswer answer(HttpCall call) {
        return answer.apply(call);
      }

      @Override
      public HttpAnswer error(HttpResponseStatus code, String sentence) {
        return HttpAnswer.json(code, JSON.createObjectNode().put("error", sentence).toString());
      }
    };
  }
}
