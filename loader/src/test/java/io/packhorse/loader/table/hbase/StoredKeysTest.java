package io.packhorse.loader.table.hbase;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys that are asked for while a region is being split, or not to be had at all. */
final class StoredKeysTest {
  /** What a scanner gives, one after the other; behind the last one it is at its end. */
  private final Queue<Object> answers = new ArrayDeque<>();

  private List<byte[]> rowKeys() throws IOException {
    HRegionLocation region =
        new HRegionLocation(RegionInfoBuilder.newBuilder(TableName.valueOf("tsdb")).build(), null);
    Map<String, Object> connection =
        Map.of(
            "getRegionLocator",
            Answers.of(RegionLocator.class, method -> List.of(region)),
            "getTable",
            Answers.of(Table.class, method -> Answers.of(ResultScanner.class, next -> answer())));
    return new StoredKeys(Answers.of(Connection.class, connection::get)).rowKeys("tsdb");
  }

  private @Nullable Object answer() throws IOException {
    @Nullable Object next = answers.poll();
    if (next instanceof IOException e) {
      throw e;
    }
    return next;
  }

  private static Result row(String key) {
    byte[] row = key.getBytes(US_ASCII);
    return Result.create(List.of(new KeyValue(row, row, row, row)));
  }

  @Test
  void waitsForARegionThatIsNotServed() throws Exception {
    answers.add(row("a"));
    answers.add(new IOException("Failed after 11", new NotServingRegionException("a is away")));
    answers.add(row("a"));
    answers.add(row("b"));
    List<byte[]> keys = rowKeys();
    assertEquals(2, keys.size());
    assertArrayEquals("b".getBytes(US_ASCII), keys.get(1));
  }

  @Test
  void saysThatAServerIsGone() {
    IOException gone = new IOException("Failed after 11", new ConnectException("refused"));
    answers.add(gone);
    assertSame(gone, assertThrows(IOException.class, this::rowKeys));
  }
}
