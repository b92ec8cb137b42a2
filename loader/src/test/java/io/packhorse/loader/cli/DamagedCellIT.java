package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.EmbeddedServer;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import io.packhorse.loader.store.TsdFixture;
import io.packhorse.loader.store.TsdKind;
import io.packhorse.schema.table.StoreTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One damaged packed cell in a store, and what the answers of a TSD say of it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DamagedCellIT {
  private static final String METRIC = "it.damaged";
  private static final long START_S = 1_704_067_200;
  private static final byte[] ID = Bytes.toBytes("id");
  private static final String SKIPPED = "X-Packhorse-Skipped-Cells";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path folder = Path.of("");

  @Test
  void failsAQueryOrIsLeftOutAndCounted() throws Exception {
    EmbeddedServer server = EmbeddedStoreFixture.shared();
    load(server);
    try (Cluster cluster = Cluster.connect(server.zookeeperQuorum(), null);
        Table table = cluster.connection().getTable(TableName.valueOf(StoreTables.DATA))) {
      Cell whole = cellOfLastHour(cluster, table);
      byte[] value = CellUtil.cloneValue(whole);
      put(table, whole, Arrays.copyOf(value, value.length / 2));
      try {
        String settings = Files.readString(server.store().tsdConfig(TsdKind.PATCHED));
        answersOf(settings, this::failed);
        answersOf(settings + "\ntsd.query.packed.skip_damaged = true\n", this::leftOut);
      } finally {
        put(table, whole, value);
      }
    }
  }

  private void failed(URI tsd) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(tsd, query());
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("row key="), answer.body());
    answer = get(tsd, lastPoints());
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("row key="), answer.body());
    answer = get(tsd, query().replace("/api/query?", "/q?ascii&"));
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("row key="), answer.body());
  }

  private void leftOut(URI tsd) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(tsd, query());
    assertEquals("1", answer.headers().firstValue(SKIPPED).orElse(answer.body()));
    assertEquals(6, json(answer).get(0).get("dps").size(), "the other series has every hour");
    answer = get(tsd, lastPoints());
    assertEquals("1", answer.headers().firstValue(SKIPPED).orElse(answer.body()));
    assertEquals(1, json(answer).size(), "the damaged series has no other point in its last hour");
    assertEquals(START_S * 1000 + 10_790_000, json(answer).get(0).get("timestamp").asLong());
    answer = expression(tsd);
    assertEquals("1", answer.headers().firstValue(SKIPPED).orElse(answer.body()));
    assertEquals(1, json(answer).get("outputs").size(), answer.body());
  }

  private static HttpResponse<String> expression(URI tsd) throws IOException, InterruptedException {
    String body =
        """
        {"time": {"start": "%d", "end": "%d", "aggregator": "sum"},
         "metrics": [{"id": "a", "metric": "%s", "fillPolicy": {"policy": "zero"}}],
         "expressions": [{"id": "e", "expr": "a * 2"}]}
        """
            .formatted(START_S, START_S + 10_799, METRIC);
    return HTTP.send(
        HttpRequest.newBuilder(tsd.resolve("/api/query/exp"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String query() {
    return "/api/query?start="
        + START_S
        + "&end="
        + (START_S + 10_799)
        + "&m=count:30m-count:"
        + METRIC;
  }

  private static String lastPoints() {
    return "/api/query/last?timeseries=" + METRIC;
  }

  private interface Answers {
    void check(URI tsd) throws IOException, InterruptedException;
  }

  private void answersOf(String settings, Answers answers) throws Exception {
    String known =
        """

        tsd.core.meta.enable_tsuid_incrementing = true
        tsd.http.query.allow_exp = true
        """;
    try (TsdFixture tsd = TsdFixture.start(TsdKind.PATCHED, folder, settings + known)) {
      answers.check(tsd.url());
    }
  }

  private static void load(EmbeddedServer server) {
    String options =
        "loadtest fill --dir %s --metric %s --sensors 2 --interval 10s --span 3h"
            .formatted(server.store().root(), METRIC);
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = Packhorse.commandLine().setOut(writer).setErr(writer).execute(options.split(" "));
    assertEquals(ExitCode.OK.code(), code, said.toString());
  }

  /** A packed cell of the metric's last hour. */
  private static Cell cellOfLastHour(Cluster cluster, Table table) throws IOException {
    byte[] metric;
    try (Table uids = cluster.connection().getTable(TableName.valueOf(StoreTables.UID))) {
      metric = uids.get(new Get(Bytes.toBytes(METRIC))).getValue(ID, Bytes.toBytes("metrics"));
    }
    byte[] base = Bytes.toBytes((int) START_S + 7200);
    try (ResultScanner rows = table.getScanner(Bytes.toBytes(StoreTables.PACKED_FAMILY))) {
      for (Result row : rows) {
        byte[] key = row.getRow();
        if (Arrays.equals(metric, Arrays.copyOfRange(key, 1, 4))
            && Arrays.equals(base, Arrays.copyOfRange(key, 4, 8))) {
          return row.rawCells()[0];
        }
      }
    }
    throw new IOException("no packed cell of " + METRIC);
  }

  /** Stands for the cell from now on: of equal times HBase gives the one written last. */
  private static void put(Table table, Cell cell, byte[] value) throws IOException {
    table.put(
        new Put(CellUtil.cloneRow(cell))
            .addColumn(
                CellUtil.cloneFamily(cell),
                CellUtil.cloneQualifier(cell),
                cell.getTimestamp(),
                value));
  }

  private static HttpResponse<String> get(URI tsd, String request)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(tsd.resolve(request)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    assertEquals(200, answer.statusCode(), answer.body());
    return new ObjectMapper().readTree(answer.body());
  }
}
