package net.opentsdb.tsd;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import com.stumbleupon.async.DeferredGroupException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.opentsdb.auth.AuthState;
import net.opentsdb.core.DataPoint;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.FillLimit;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.Query;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.stats.QueryStats;
import net.opentsdb.uid.NoSuchUniqueName;
import net.opentsdb.utils.DateTime;
import net.opentsdb.utils.JSON;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The {@code /q} endpoint without gnuplot: points as lines of text, or their count as JSON.
 *
 * <p>No file, no process, and no parameter but those listed here. Answers as upstream does for
 * {@code ascii} and {@code json}. Any thread; nothing is kept.
 */
@NullMarked
final class AsciiGraph implements HttpRpc {
  private static final Set<String> PARAMETERS =
      new TreeSet<>(
          Set.of("start", "end", "tz", "m", "tsuid", "ascii", "json", "nocache", "ignore"));

  @Override
  public void execute(TSDB tsdb, HttpQuery query) {
    RpcUtil.allowedMethods(query.method(), HttpMethod.GET.getName());
    check(query.getQueryString());
    TSQuery request;
    // This endpoint has always used whole seconds.
    long start;
    long end;
    try {
      request = QueryRpc.parseQuery(tsdb, query);
      request.validateAndSetQuery();
      String zone = query.getQueryStringParam("tz");
      start = seconds(request.getStart(), zone, request.startTime());
      end = seconds(request.getEnd(), zone, request.endTime());
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(HttpResponseStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    FillLimit.check(request);
    authorize(tsdb, query, request);
    QueryStats stats =
        new QueryStats(query.getRemoteAddress(), request, query.getPrintableHeaders());
    request.setQueryStats(stats); // Counts its rows and its answer.
    query.setStats(stats);
    request
        .buildQueriesAsync(tsdb)
        .addCallbackDeferring(queries -> run(queries, start, end))
        .addCallbackDeferring(AsciiGraph::name)
        .addCallback(
            series -> {
              reply(tsdb, query, request, series, start, end);
              return null;
            })
        .addErrback(failure(query, stats));
  }

  /**
   * Refuses unknown parameters, and requests for neither or both of text and JSON.
   *
   * @throws BadRequestException 400
   */
  static void check(Map<String, List<String>> parameters) {
    for (String name : parameters.keySet()) {
      if (!PARAMETERS.contains(name)) {
        throw new BadRequestException(
            HttpResponseStatus.BAD_REQUEST,
            "Unknown parameter \""
                + name
                + "\": /q has no gnuplot any more and accepts only "
                + PARAMETERS);
      }
    }
    if (parameters.containsKey("ascii") == parameters.containsKey("json")) {
      throw new BadRequestException(
          HttpResponseStatus.BAD_REQUEST,
          "/q answers with either ascii or json; the page at / draws");
    }
  }

  /**
   * A time of the request in seconds. Its zone applies to dates only: calendar intervals stay in
   * UTC, as with upstream's parameter {@code tz}.
   *
   * @param otherwise milliseconds, if the request has none
   * @throws IllegalArgumentException if the time cannot be parsed or the zone is unknown
   */
  static long seconds(@Nullable String time, @Nullable String zone, long otherwise) {
    long millis = DateTime.parseDateTimeString(time, zone);
    return (millis == -1 ? otherwise : millis) / 1000;
  }

  @SuppressWarnings("NonApiType") // as Deferred's groups are
  private static Deferred<ArrayList<DataPoints[]>> run(Query[] queries, long start, long end) {
    List<Deferred<DataPoints[]>> running = new ArrayList<>(queries.length);
    for (Query query : queries) {
      // Milliseconds, with which one interval over all points works.
      query.setStartTime(start * 1_000);
      query.setEndTime(end * 1_000);
      running.add(query.runAsync());
    }
    return Deferred.groupInOrder(running);
  }

  /**
   * A series with its names.
   *
   * @param query which of the request's queries it answers
   */
  private record Named(
      int query,
      DataPoints points,
      String metric,
      Map<String, String> tags,
      List<String> aggregatedTags) {}

  /**
   * Resolves the names of all series before anything is written: waiting for a name on this thread,
   * which receives the answers of HBase, would never end.
   */
  @SuppressWarnings("NonApiType") // as Deferred's groups are
  private static Deferred<ArrayList<Named>> name(ArrayList<DataPoints[]> results) {
    List<Deferred<Named>> named = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      int query = i;
      for (DataPoints points : results.get(i)) {
        named.add(
            points
                .metricNameAsync()
                .addCallbackDeferring(
                    metric ->
                        points
                            .getTagsAsync()
                            .addCallbackDeferring(
                                tags ->
                                    points
                                        .getAggregatedTagsAsync()
                                        .addCallback(
                                            aggregated ->
                                                new Named(
                                                    query, points, metric, tags, aggregated)))));
      }
    }
    return Deferred.groupInOrder(named);
  }

  private static void reply(
      TSDB tsdb, HttpQuery query, TSQuery request, List<Named> series, long start, long end) {
    QueryStats stats = request.getQueryStats();
    if (query.hasQueryStringParam("ascii")) {
      QueryMemory memory = new QueryMemory();
      try {
        AnswerBuffer text = new AnswerBuffer(tsdb, request, memory);
        lines(series, text);
        stats.markSerializationSuccessful();
        query.sendBuffer(
            HttpResponseStatus.OK, text.toChannelBuffer(), "text/plain; charset=UTF-8");
      } finally {
        memory.close();
      }
    } else {
      Map<String, Object> counts = counts(series, request.getQueries().size(), start, end);
      stats.markSerializationSuccessful();
      counts.put("timing", query.processingTimeMillis());
      query.sendBuffer(
          HttpResponseStatus.OK,
          ChannelBuffers.wrappedBuffer(JSON.serializeToBytes(counts)),
          "application/json; charset=UTF-8");
    }
  }

  /** A line a point: metric, seconds, value, tags. NaNs are left out. */
  private static void lines(List<Named> series, AnswerBuffer into) {
    StringBuilder text = new StringBuilder();
    for (Named found : series) {
      StringBuilder tags = new StringBuilder();
      found
          .tags()
          .forEach((name, value) -> tags.append(' ').append(name).append('=').append(value));
      for (DataPoint point : found.points()) {
        if (isDrawn(point)) {
          text.append(found.metric()).append(' ').append(point.timestamp() / 1000).append(' ');
          if (point.isInteger()) {
            text.append(point.longValue());
          } else {
            text.append(point.doubleValue());
          }
          text.append(tags).append('\n');
          byte[] line = text.toString().getBytes(StandardCharsets.UTF_8);
          into.write(line, 0, line.length);
          text.setLength(0);
        }
      }
    }
  }

  /** What a page that draws wants to know: points found, points in the range, aggregated tags. */
  private static Map<String, Object> counts(List<Named> series, int queries, long start, long end) {
    int points = 0;
    int plotted = 0;
    List<Set<String>> aggregatedTags = new ArrayList<>();
    for (int i = 0; i < queries; i++) {
      aggregatedTags.add(new TreeSet<>());
    }
    for (Named found : series) {
      aggregatedTags.get(found.query()).addAll(found.aggregatedTags());
      points += found.points().aggregatedSize();
      for (DataPoint point : found.points()) {
        long second = point.timestamp() / 1000;
        if (isDrawn(point) && second >= start && second <= end) {
          plotted++;
        }
      }
    }
    Map<String, Object> counts = new HashMap<>();
    counts.put("plotted", plotted);
    counts.put("points", points);
    counts.put("etags", aggregatedTags);
    return counts;
  }

  private static boolean isDrawn(DataPoint point) {
    if (point.isInteger()) {
      return true;
    }
    double value = point.doubleValue();
    if (Double.isInfinite(value)) {
      throw new IllegalStateException("an infinite value cannot be shown: " + point);
    }
    return !Double.isNaN(value);
  }

  /** Upstream asks at {@code /api/query} only. */
  private static void authorize(TSDB tsdb, HttpQuery query, TSQuery request) {
    if (!tsdb.getConfig().getBoolean("tsd.core.authentication.enable")
        || !tsdb.getAuth().isReady(tsdb, query.channel())) {
      return;
    }
    AuthState state =
        tsdb.getAuth()
            .authorization()
            .allowQuery((AuthState) query.channel().getAttachment(), request);
    HttpResponseStatus refusal =
        switch (state.getStatus()) {
          case SUCCESS -> null;
          case UNAUTHORIZED -> HttpResponseStatus.UNAUTHORIZED;
          case FORBIDDEN -> HttpResponseStatus.FORBIDDEN;
          default -> HttpResponseStatus.INTERNAL_SERVER_ERROR;
        };
    if (refusal != null) {
      throw new BadRequestException(refusal, state.getMessage());
    }
  }

  private static Callback<@Nullable Object, Exception> failure(HttpQuery query, QueryStats stats) {
    return e -> {
      Throwable cause = e;
      while (cause instanceof DeferredGroupException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      stats.markSerialized(HttpResponseStatus.BAD_REQUEST, cause);
      if (cause instanceof IllegalDataException || cause instanceof NoSuchUniqueName) {
        query.badRequest(
            new BadRequestException(
                HttpResponseStatus.BAD_REQUEST, String.valueOf(cause.getMessage())));
      } else {
        query.internalError(cause instanceof Exception found ? found : e);
      }
      return null;
    };
  }
}
