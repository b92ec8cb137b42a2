package io.packhorse.loader.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/**
 * Requests that a hostile or clumsy client of a TSD sends, made by a grammar from a seed: each part
 * is mostly right, since what is all wrong is refused at the first byte.
 *
 * <p>Points go to metrics and tags that begin with {@value #OWN}, so that whatever else changes in
 * the tables was not allowed to. For one thread.
 */
final class HostileRequests {
  /** How the names begin that these requests may create. */
  static final String OWN = "attack";

  static final String PACKED = "guarded.packed";
  static final String PLAIN = "guarded.plain";
  static final long START_S = 1_704_067_200;

  /** How the bytes are sent, and what is done with the answer. */
  enum Manner {
    WHOLE,
    IN_PIECES,
    HALF_THEN_CLOSED,
    HALF_THEN_SILENT,
    READ_SLOWLY,
    NOT_READ,
    PIPELINED
  }

  /**
   * One of them.
   *
   * @param kind endpoint, for the summary
   * @param bytes what is sent
   */
  record Hostile(String kind, byte[] bytes, Manner manner) {}

  private static final List<String> AGGREGATORS =
      List.of(
          "sum",
          "avg",
          "none",
          "min",
          "max",
          "mimmin",
          "mimmax",
          "zimsum",
          "dev",
          "count",
          "p50",
          "p99",
          "p999",
          "ep99r7",
          "first",
          "last",
          "diff",
          "mult",
          "median",
          "multiply",
          "pfsum",
          "squareSum",
          "",
          "nosuch",
          "SUM",
          "raw");
  private static final List<String> FUNCTIONS =
      List.of(
          "scale",
          "absolute",
          "movingAverage",
          "highestCurrent",
          "highestMax",
          "shift",
          "timeShift",
          "alias",
          "sumSeries",
          "sum",
          "difference",
          "multiplySeries",
          "divideSeries",
          "firstDiff",
          "nosuch");
  private static final List<String> HEADERS =
      List.of(
          "Accept-Encoding: gzip",
          "Accept-Encoding: gzip, deflate, br;q=0.1, *",
          "Connection: close",
          "Connection: keep-alive",
          "Connection: upgrade\r\nUpgrade: h2c",
          "Expect: 100-continue",
          "Origin: http://evil.test",
          "Sec-Fetch-Site: cross-site",
          "Authorization: Bearer 0000000000000000",
          "X-Forwarded-For: 127.0.0.1",
          "X-HTTP-Method-Override: DELETE",
          "Range: bytes=0-1,5-",
          "Content-Length: 5",
          "Content-Length: -1",
          "Content-Length: 99999999999999999999",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: gzip, chunked",
          "Content-Encoding: gzip",
          "Host: evil.test",
          "Host:",
          " folded: line",
          "no colon at all");

  private final SplittableRandom random;

  HostileRequests(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The next one. */
  Hostile next() {
    int dice = random.nextInt(100);
    if (dice < 30) {
      return query();
    } else if (dice < 38) {
      return http("gexp", get("/api/query/gexp", range() + p("exp", expression(6))));
    } else if (dice < 41) {
      return http("exp", post("/api/query/exp", mutated(expBody())));
    } else if (dice < 47) {
      return last();
    } else if (dice < 51) {
      return http("q", get("/q", range() + p("m", metricQuery()) + graphOptions()));
    } else if (dice < 57) {
      return lookups();
    } else if (dice < 62) {
      return uids();
    } else if (dice < 67) {
      return annotations();
    } else if (dice < 70) {
      return trees();
    } else if (dice < 80) {
      return puts();
    } else if (dice < 88) {
      return telnet();
    } else if (dice < 95) {
      return others();
    }
    return shapes();
  }

  private Hostile query() {
    if (random.nextBoolean()) {
      StringBuilder parameters = new StringBuilder(range());
      int parts = oneIn(20) ? random.nextInt(400) : 1 + random.nextInt(3);
      for (int i = 0; i < parts; i++) {
        parameters.append(p("m", metricQuery()));
      }
      while (oneIn(2)) {
        parameters.append(
            p(
                of(
                    "ms",
                    "show_tsuids",
                    "show_query",
                    "show_summary",
                    "show_stats",
                    "arrays",
                    "padding",
                    "no_annotations",
                    "global_annotations",
                    "use_calendar",
                    "delete",
                    "tsuids",
                    "timezone",
                    "tz",
                    "method_override",
                    "jsonp",
                    "explicit_tags"),
                of("", "true", "delete", "Europe/Berlin", "Nowhere/At_All", "alert(1)", odd())));
      }
      String method = oneIn(6) ? of("DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "TRACE") : "GET";
      return http("query", request(method, "/api/query", parameters.toString(), new byte[0]));
    }
    return http("query", post("/api/query" + of("", "?details", "?arrays"), mutated(queryBody())));
  }

  private String queryBody() {
    StringBuilder body = new StringBuilder("{");
    body.append("\"start\":").append(jsonTime(0)).append(",\"end\":").append(jsonTime(86_400));
    for (String flag :
        List.of("msResolution", "showTSUIDs", "showQuery", "noAnnotations", "globalAnnotations")) {
      if (oneIn(4)) {
        body.append(",\"").append(flag).append("\":").append(of("true", "false", "null", "\"x\""));
      }
    }
    if (oneIn(5)) {
      body.append(",\"delete\":true");
    }
    if (oneIn(6)) {
      body.append(",\"timezone\":\"").append(odd()).append('"');
    }
    body.append(",\"queries\":[");
    int parts = oneIn(30) ? 1 + random.nextInt(500) : 1 + random.nextInt(3);
    for (int i = 0; i < parts; i++) {
      body.append(i == 0 ? "" : ",").append(subQuery());
    }
    return body.append("]}").toString();
  }

  private String subQuery() {
    StringBuilder part = new StringBuilder("{\"aggregator\":\"").append(aggregator()).append('"');
    if (oneIn(8)) {
      part.append(",\"tsuids\":[\"").append(tsuid()).append("\",\"").append(odd()).append("\"]");
    } else {
      part.append(",\"metric\":\"").append(metric()).append('"');
    }
    if (oneIn(2)) {
      part.append(",\"downsample\":\"").append(downsample()).append('"');
    }
    if (oneIn(5)) {
      part.append(",\"rate\":true,\"rateOptions\":{\"counter\":")
          .append(of("true", "1", "[]"))
          .append(",\"counterMax\":")
          .append(number())
          .append(",\"resetValue\":")
          .append(number())
          .append('}');
    }
    if (oneIn(3)) {
      part.append(",\"explicitTags\":true");
    }
    if (oneIn(12)) {
      part.append(",\"percentiles\":[").append(number()).append("]");
    }
    part.append(",\"filters\":[");
    int filters = oneIn(15) ? random.nextInt(600) : random.nextInt(3);
    for (int i = 0; i < filters; i++) {
      part.append(i == 0 ? "" : ",")
          .append("{\"type\":\"")
          .append(filterType())
          .append("\",\"tagk\":\"")
          .append(oneIn(8) ? odd() : tagKey())
          .append("\",\"filter\":\"")
          .append(filterText())
          .append("\",\"groupBy\":")
          .append(random.nextBoolean())
          .append('}');
    }
    return part.append("]}").toString();
  }

  /** The parameter m. */
  private String metricQuery() {
    StringBuilder m = new StringBuilder(aggregator());
    if (oneIn(2)) {
      m.append(':').append(downsample());
    }
    if (oneIn(5)) {
      m.append(":rate");
      if (oneIn(2)) {
        m.append("{counter,").append(number()).append(',').append(number()).append('}');
      }
    }
    if (oneIn(6)) {
      m.append(":explicit_tags");
    }
    m.append(':').append(metric());
    for (int part = random.nextInt(3); part > 0; part--) {
      m.append('{');
      int tags = oneIn(20) ? random.nextInt(300) : random.nextInt(3);
      for (int i = 0; i < tags; i++) {
        m.append(i == 0 ? "" : ",").append(tagKey()).append('=');
        if (random.nextBoolean()) {
          m.append(filterType()).append('(').append(filterText()).append(')');
        } else {
          m.append(of("*", "s001", "s001|s002", "h0", "h*", filterText()));
        }
      }
      m.append(oneIn(20) ? "" : "}");
    }
    return m.toString();
  }

  /** A gexp of functions in each other. */
  private String expression(int depth) {
    if (depth == 0 || oneIn(3)) {
      return metricQuery();
    }
    if (oneIn(40)) {
      return "scale(".repeat(300) + metricQuery() + ",2)".repeat(oneIn(2) ? 300 : 299);
    }
    StringBuilder text = new StringBuilder(of(FUNCTIONS)).append('(').append(expression(depth - 1));
    for (int i = random.nextInt(3); i > 0; i--) {
      text.append(',')
          .append(
              random.nextBoolean()
                  ? number()
                  : of("'1h'", "'999999999d'", "\"x\"", "'-5min'", expression(depth - 1)));
    }
    return text.append(oneIn(20) ? "" : ")").toString();
  }

  private String expBody() {
    return "{\"time\":{\"start\":"
        + jsonTime(0)
        + ",\"end\":"
        + jsonTime(3600)
        + ",\"aggregator\":\"sum\"},\"metrics\":[{\"id\":\"a\",\"metric\":\""
        + metric()
        + "\"}],\"expressions\":[{\"id\":\"e\",\"expr\":\""
        + of("a * 2", "new('java.io.File','/')", "a ? (((((1)))))", "while(true){}", odd())
        + "\"}]}";
  }

  private Hostile last() {
    if (oneIn(3)) {
      return http(
          "last",
          post(
              "/api/query/last",
              mutated(
                  "{\"backScan\":"
                      + number()
                      + ",\"resolveNames\":true,\"queries\":[{\"metric\":\""
                      + metric()
                      + "\",\"tags\":{\"sensor\":\"s001\"}},{\"tsuids\":[\""
                      + tsuid()
                      + "\"]}]}")));
    }
    return http(
        "last",
        get(
            "/api/query/last",
            p("timeseries", metric() + of("", "{sensor=s001}", "{host=*}", "{", odd()))
                + (oneIn(2) ? p("tsuids", tsuid() + "," + tsuid()) : "")
                + p("back_scan", of("0", "1", "24", "8760", "2000000000", "-1", number()))
                + (oneIn(2) ? p("resolve", "true") : "")));
  }

  private String graphOptions() {
    StringBuilder options = new StringBuilder(p(of("ascii", "json", "png"), ""));
    while (oneIn(2)) {
      options.append(
          p(
              of("wxh", "key", "yrange", "ylabel", "o", "style", "smooth", "title", "nocache"),
              of(
                  "1x1",
                  "99999x99999",
                  "[33:system('touch /tmp/x')]",
                  "out\nsystem \"id\"",
                  odd())));
    }
    return options.toString();
  }

  private Hostile lookups() {
    return switch (random.nextInt(4)) {
      case 0 ->
          http(
              "suggest",
              get(
                  "/api/suggest",
                  p("type", of("metrics", "tagk", "tagv", "<script>", odd()))
                      + p("q", of("", "s", "guarded", odd()))
                      + p("max", of("10", "-1", "2147483647", number()))));
      case 1 -> http("suggest", post("/api/suggest", mutated("{\"type\":\"metrics\",\"max\":10}")));
      case 2 ->
          http(
              "lookup",
              get(
                  "/api/search/" + of("lookup", "tsmeta", "uidmeta", "annotation", odd()),
                  p("m", metric() + of("", "{sensor=*}", "{*=*}", "{host=h0|h1}", "{{{", odd()))
                      + p("limit", of("0", "1", "1000000000", "-5", number()))
                      + p("use_meta", of("true", "false"))));
      default ->
          http(
              "lookup",
              post(
                  "/api/search/lookup",
                  mutated(
                      "{\"metric\":\""
                          + metric()
                          + "\",\"useMeta\":"
                          + of("true", "false")
                          + ",\"limit\":"
                          + number()
                          + ",\"tags\":[{\"key\":\"*\",\"value\":\""
                          + filterText()
                          + "\"}]}")));
    };
  }

  private Hostile uids() {
    String override = of("", "?method_override=post", "?method_override=delete");
    return switch (random.nextInt(4)) {
      case 0 ->
          http(
              "uid/assign",
              get("/api/uid/assign", p("metric", "stolen.metric," + odd()) + p("tagk", "stolen")));
      case 1 ->
          http(
              "uid/assign",
              post("/api/uid/assign" + override, mutated("{\"metric\":[\"stolen.a\"]}")));
      case 2 ->
          http(
              "uid/rename",
              random.nextBoolean()
                  ? post(
                      "/api/uid/rename" + override,
                      "{\"metric\":\"" + metric() + "\",\"name\":\"stolen.b\"}")
                  : get(
                      "/api/uid/rename",
                      p("metric", metric())
                          + p("name", "stolen.c")
                          + p("method_override", "post")));
      default ->
          http(
              "uid/meta",
              request(
                  of("GET", "POST", "PUT", "DELETE"),
                  "/api/uid/" + of("uidmeta", "tsmeta", odd()),
                  p("uid", "000001") + p("type", "metric") + p("tsuid", tsuid()),
                  oneIn(2)
                      ? new byte[0]
                      : utf8("{\"uid\":\"000001\",\"type\":\"metric\",\"displayName\":\"x\"}")));
    };
  }

  private Hostile annotations() {
    String body =
        "{\"startTime\":"
            + jsonTime(0)
            + ",\"tsuid\":\""
            + tsuid()
            + "\",\"description\":\""
            + odd()
            + "\",\"endTime\":"
            + jsonTime(60)
            + "}";
    return http(
        "annotation",
        request(
            of("POST", "PUT", "DELETE", "GET"),
            of("/api/annotation", "/api/annotation/bulk", "/api/annotations"),
            of("", p("method_override", "delete"), p("start_time", "1"), p("global", "true")),
            utf8(mutated(oneIn(3) ? "[" + body + "," + body + "]" : body))));
  }

  private Hostile trees() {
    return http(
        "tree",
        request(
            of("POST", "PUT", "DELETE", "GET"),
            "/api/tree"
                + of("", "/branch", "/rule", "/rules", "/test", "/collisions", "/notmatched"),
            p("treeid", of("1", "65536", number()))
                + p("tsuids", tsuid())
                + of("", p("definition", "true"), p("method_override", "delete")),
            oneIn(2) ? new byte[0] : utf8(mutated("{\"treeId\":1,\"name\":\"stolen\"}"))));
  }

  private Hostile puts() {
    int points = oneIn(6) ? 1 + random.nextInt(20_000) : 1 + random.nextInt(20);
    boolean good = random.nextBoolean();
    StringBuilder batch = new StringBuilder("[");
    for (int i = 0; i < points; i++) {
      batch.append(i == 0 ? "" : ",").append(point(good ? 5 : random.nextInt(12)));
    }
    batch.append("]");
    byte[] body = utf8(batch.toString());
    if (oneIn(6)) {
      body = Arrays.copyOf(body, random.nextInt(body.length));
    }
    String target =
        of("/api/put", "/api/put", "/api/put", "/api/rollup", "/api/histogram")
            + of("", "?details", "?summary", "?sync", "?sync&details", "?sync&sync_timeout=1");
    if (oneIn(4)) {
      return http("put", request("POST", target, "", gzip(body), "Content-Encoding: gzip", json()));
    }
    return http("put", request(oneIn(10) ? "PUT" : "POST", target, "", body, json()));
  }

  /** A point of these requests' own metric and tag value; below 5 a bad one. */
  private String point(int bad) {
    return "{\"metric\":\""
        + (bad == 0 ? OWN + odd() : OWN + "." + random.nextInt(50))
        + "\",\"timestamp\":"
        + (bad == 1 ? number() : Long.toString(START_S + random.nextInt(86_400)))
        + ",\"value\":"
        + (bad == 2 ? of(number(), "\"\"", "\"NaN\"", "\"x\"", "null", "[]", "{}") : value())
        + ",\"tags\":"
        + (bad == 3
            ? of("null", "{}", "[]", "{\"host\":\"\"}", "{\"\":\"" + OWN + "\"}", "\"x\"")
            : "{\"host\":\"" + OWN + random.nextInt(oneIn(50) ? 100_000 : 100) + "\"}")
        + (bad == 4 ? ",\"extra\":" + deep(50) : "")
        + "}";
  }

  private Hostile telnet() {
    StringBuilder lines = new StringBuilder();
    for (int i = oneIn(10) ? random.nextInt(2_000) : random.nextInt(20); i >= 0; i--) {
      lines.append(
          switch (random.nextInt(9)) {
            case 0 -> of("version", "help", "stats", "exit", "diediedie", "dropcaches", "auth a b");
            case 1 -> "put " + OWN + ".t " + number() + " " + value() + " host=" + OWN;
            case 2 ->
                "put " + OWN + ".t " + START_S + " " + of("NaN", "x", "", "1 2") + " host=" + OWN;
            case 3 -> "put " + OWN + ".t " + START_S + " 1" + " host=".repeat(random.nextInt(12));
            case 4 -> of("rollup", "histogram", "put", "PUT") + " " + odd();
            case 5 -> oneIn(10) ? "put " + "x".repeat(random.nextInt(20_000)) : odd();
            case 6 -> "put";
            default ->
                "put "
                    + OWN
                    + ".t "
                    + (START_S + random.nextInt(86_400))
                    + " "
                    + value()
                    + " host="
                    + OWN
                    + random.nextInt(20);
          });
      lines.append(of("\n", "\n", "\n", "\r\n"));
    }
    byte[] bytes = utf8(lines.toString());
    // A first byte in upper case means HTTP.
    bytes[0] = (byte) (bytes[0] >= 'A' && bytes[0] <= 'Z' ? 'p' : bytes[0]);
    return new Hostile("telnet", bytes, manner());
  }

  private Hostile others() {
    String path =
        of(
            "/",
            "/stats",
            "/api/stats",
            "/api/stats/query",
            "/api/stats/jvm",
            "/api/stats/threads",
            "/api/stats/region_clients",
            "/api/config",
            "/api/config/filters",
            "/api/aggregators",
            "/api/serializers",
            "/api/version",
            "/version",
            "/logs",
            "/logs?level=TRACE",
            "/logs?json",
            "/diediedie",
            "/dropcaches",
            "/api/dropcaches",
            "/favicon.ico",
            "/s/",
            "/s/../../etc/passwd",
            "/s/%2e%2e/opentsdb.conf",
            "/api",
            "/api/",
            "/api/v99/query",
            "/api/v1/version",
            "//",
            "*",
            "/api/query/",
            "/api/query/exp/gexp/last",
            "/aggregators",
            "/suggest",
            "/hbase/stats",
            "/plugin/x",
            "/?" + odd());
    return http(
        "others", request(of("GET", "GET", "POST", "DELETE", "HEAD"), path, "", new byte[0]));
  }

  /** Requests whose form, not content, is the attack. */
  private Hostile shapes() {
    return switch (random.nextInt(9)) {
      case 0 -> http("long URI", get("/api/version", p("x", "y".repeat(random.nextInt(100_000)))));
      case 1 ->
          http(
              "long header",
              request(
                  "GET",
                  "/api/version",
                  "",
                  new byte[0],
                  "X-Long: " + "y".repeat(random.nextInt(100_000))));
      case 2 -> {
        StringBuilder many = new StringBuilder("X-0: 0");
        for (int i = random.nextInt(5_000); i > 0; i--) {
          many.append("\r\nX-").append(i).append(": ").append(i);
        }
        yield http(
            "many headers", request("GET", "/api/version", "", new byte[0], many.toString()));
      }
      case 3 -> http("deep JSON", post(of("/api/query", "/api/suggest"), deep(200_000)));
      case 4 -> {
        byte[] zeros = new byte[1 << (10 + random.nextInt(16))];
        Arrays.fill(zeros, (byte) of("[", " ", "0").charAt(0));
        yield http(
            "gzip bomb",
            request("POST", "/api/query", "", gzip(zeros), "Content-Encoding: gzip", json()));
      }
      case 5 -> {
        byte[] noise = new byte[random.nextInt(5_000)];
        random.nextBytes(noise);
        yield new Hostile("noise", noise, manner());
      }
      case 6 ->
          new Hostile(
              "chunks",
              utf8(
                  "POST /api/query HTTP/1.1\r\n"
                      + "Host: localhost\r\n"
                      + "Transfer-Encoding: chunked\r\n\r\n"
                      + of("5\r\n{\"a\":\r\n", "FFFFFFFF\r\nx", "-1\r\n", "zz\r\n", "0;" + odd())
                      + of("0\r\n\r\n", "", "1\r\n}\r\n0\r\nX-Trailer: 1\r\n\r\n")),
              manner());
      case 7 ->
          new Hostile(
              "bad request line",
              utf8(
                  of("GET", "G\0T", "GET GET", "X".repeat(9_000), "")
                      + of(" ", "\t", "  ", "")
                      + of("/api/version", "", "http://evil.test/", "\\")
                      + of(" HTTP/1.1", " HTTP/9.9", "", " HTTP/1.0", " ICY")
                      + "\r\nHost: localhost\r\n\r\n"),
              manner());
      default ->
          http("long body", post("/api/query", "\"" + "y".repeat(random.nextInt(1 << 22)) + "\""));
    };
  }

  // The terminals.

  private String metric() {
    return switch (random.nextInt(40)) {
      case 0 -> odd();
      case 1 -> "no.such.metric";
      case 2 -> OWN + "." + random.nextInt(50);
      case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 -> PLAIN;
      default -> PACKED;
    };
  }

  private String aggregator() {
    return oneIn(5) ? of(AGGREGATORS) : of("sum", "none", "avg");
  }

  private String tagKey() {
    return oneIn(12) ? of("nosuch", "") : of("sensor", "host");
  }

  private String filterType() {
    return of(
        "regexp",
        "regexp",
        "wildcard",
        "iwildcard",
        "literal_or",
        "iliteral_or",
        "not_literal_or",
        "not_iliteral_or",
        "not_key",
        "nosuch",
        "regexp",
        "bogus(");
  }

  private String filterText() {
    return switch (random.nextInt(9)) {
      case 0 -> "(.*a){20}x";
      case 1 -> "(.*.){12}!";
      case 2 -> "(" + "a?".repeat(random.nextInt(3_000)) + "){" + random.nextInt(2_000) + "}";
      case 3 ->
          "s00" + "|s00".repeat(oneIn(10) ? random.nextInt(20_000) : random.nextInt(30)) + "1";
      case 4 -> "*".repeat(1 + random.nextInt(200));
      case 5 -> of("(?!x)", "(a)\\\\1", "[", "(((((", "a{1000}{1000}", "\\\\p{L}+", "(?i)S.*");
      case 6 -> odd();
      default -> of("s0.*", "h[0-9]", "s001|s002|s003", "*", "h*", ".*");
    };
  }

  private String downsample() {
    return switch (random.nextInt(20)) {
      case 0 ->
          number()
              + of("s", "ms", "h", "d", "n", "y", "dc", "x")
              + "-"
              + aggregator()
              + of("", "-zero");
      case 1 -> of("1s", "1ms", "10ms") + "-avg" + of("", "-nan", "-null", "-zero");
      case 2 -> odd();
      default ->
          of("1m", "10m", "1h", "1d", "0all", "1dc", "1s", "1n")
              + "-"
              + aggregator()
              + of("", "", "-nan", "-zero", "-null", "-none", "-bogus");
    };
  }

  private String range() {
    return p("start", time(0)).substring(1) + (oneIn(5) ? "" : p("end", time(86_400)));
  }

  private String time(int offset) {
    return switch (random.nextInt(40)) {
      case 0 -> "1";
      case 1 -> number();
      case 2 -> of("1h-ago", "9999999999d-ago", "2024/01/01-00:00:00", "-1h", "now", odd());
      case 3 -> Long.toString((START_S + offset) * 1000);
      default -> Long.toString(START_S + offset / (1 + random.nextInt(24)) + random.nextInt(600));
    };
  }

  private String jsonTime(int offset) {
    String time = time(offset);
    return time.matches("-?[0-9]+") ? time : "\"" + time + "\"";
  }

  private String number() {
    return of(
        "0",
        "-1",
        "1",
        "2147483648",
        "-9223372036854775808",
        "9223372036854775807",
        "1e999",
        "-0.0",
        "1e-400",
        "0x10",
        "NaN",
        "Infinity",
        "1" + "0".repeat(400),
        "00",
        "1.",
        ".5",
        "1,5",
        "",
        Integer.toString(random.nextInt()),
        Double.toString(random.nextDouble()));
  }

  private String value() {
    return of(
        Integer.toString(random.nextInt(1_000)),
        Double.toString(random.nextDouble()),
        "1e300",
        "-7");
  }

  private String tsuid() {
    return of(
        "000001000001000001",
        "000001",
        "00000100000100000",
        "zz",
        "",
        "000001" + "000001000001".repeat(random.nextInt(200)),
        odd());
  }

  /** A word that few programs expect. */
  private String odd() {
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> "x".repeat(random.nextInt(3_000));
      case 2 -> "\u0000\u0001\u001f";
      case 3 -> "\ud83d\ude80 \u00e4\u00f6 \u202e";
      case 4 -> "<script>alert(1)</script>";
      case 5 -> "../../etc/passwd";
      case 6 -> "%s%n%x%00%2f";
      case 7 -> "${jndi:ldap://127.0.0.1:1/x}";
      case 8 -> "{".repeat(random.nextInt(100));
      case 9 -> ":".repeat(random.nextInt(20));
      case 10 -> "'; DROP TABLE tsdb; --";
      default -> Long.toString(random.nextLong(), 36);
    };
  }

  private String deep(int depth) {
    int levels = 1 + random.nextInt(depth);
    String open = of("[", "{\"a\":", "{\"filters\":[");
    return open.repeat(levels) + (oneIn(2) ? "" : "]".repeat(levels));
  }

  /** Mostly as it is; otherwise cut off, or with characters replaced. Never used for points. */
  private String mutated(String body) {
    if (!oneIn(4) || body.isEmpty()) {
      return body;
    }
    if (oneIn(2)) {
      return body.substring(0, random.nextInt(body.length()));
    }
    StringBuilder changed = new StringBuilder(body);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(changed.length());
      changed.replace(at, at + 1, of("\"", "{", "}", "[", "]", ",", ":", "\\", "9", "-", odd()));
    }
    return changed.toString();
  }

  // The frame.

  private Hostile http(String kind, byte[] bytes) {
    return new Hostile(kind, bytes, manner());
  }

  private Manner manner() {
    return switch (random.nextInt(20)) {
      case 0 -> Manner.IN_PIECES;
      case 1 -> Manner.HALF_THEN_CLOSED;
      case 2 -> Manner.HALF_THEN_SILENT;
      case 3, 4 -> Manner.READ_SLOWLY;
      case 5 -> Manner.NOT_READ;
      case 6 -> Manner.PIPELINED;
      default -> Manner.WHOLE;
    };
  }

  private byte[] get(String path, String parameters) {
    return request("GET", path, parameters, new byte[0]);
  }

  private byte[] post(String path, String body) {
    return request("POST", path, "", utf8(body), json());
  }

  private byte[] request(
      String method, String path, String parameters, byte[] body, String... headers) {
    StringBuilder head = new StringBuilder(method).append(' ').append(path);
    if (!parameters.isEmpty()) {
      head.append(path.indexOf('?') < 0 ? '?' : '&').append(parameters);
    }
    head.append(oneIn(30) ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    if (!oneIn(30)) {
      head.append("Host: localhost\r\n");
    }
    if (body.length > 0) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    while (oneIn(12)) {
      head.append(of(HEADERS)).append("\r\n");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(utf8(head.append("\r\n").toString()));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }

  private String json() {
    return oneIn(20) ? "Content-Type: text/plain" : "Content-Type: application/json";
  }

  private String p(String name, String value) {
    String encoded = oneIn(40) ? value : URLEncoder.encode(value, StandardCharsets.UTF_8);
    return "&" + name + "=" + encoded.replace("\n", "%0A").replace(" ", "%20");
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private String of(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String of(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
