package net.opentsdb.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import org.hbase.async.HBaseClient;
import org.hbase.async.Scanner;
import org.hbase.async.StoreFailures;
import org.junit.jupiter.api.Test;

final class PackedFamilyTest {
  private static final String BOTH = "columns={\"t\", \"p\"}";
  private static final String STOCK = "columns={\"t\"}";

  private final PackedFamily family = new PackedFamily();

  @Test
  void asksForBothFamiliesOnceTheSecondWasSeen() throws Exception {
    family.learn(Deferred.fromResult(null), "tsdb").join();
    assertTrue(scanner().contains(BOTH), scanner());
  }

  @Test
  void asksForAllFamiliesUntilThen() {
    assertFalse(scanner().contains("\"t\""), scanner());
  }

  @Test
  void startsOnATableWithoutTheFamily() throws Exception {
    Deferred<Object> answer = Deferred.fromError(StoreFailures.missingFamily());
    family.learn(answer, "tsdb").join();
    assertFalse(scanner().contains("\"t\""), scanner());
  }

  @Test
  void startsWhenTheAnswerIsAnotherError() throws Exception {
    family.learn(Deferred.fromError(new IllegalStateException("no route")), "tsdb").join();
    assertFalse(scanner().contains("\"t\""), scanner());
  }

  @Test
  void queriesOfTheDataTableAskForPackedCells() throws Exception {
    TSDB tsdb = OfflineTsdb.create();
    assertFalse(queryScanner(tsdb).contains(STOCK), queryScanner(tsdb));
    tsdb.packed_family.learn(Deferred.fromResult(null), "tsdb").join();
    assertTrue(queryScanner(tsdb).contains(BOTH), queryScanner(tsdb));
  }

  @Test
  void asksForWholeRows() throws Exception {
    assertEquals(Integer.MAX_VALUE, included().getMaxNumKeyValues());
    family.learn(Deferred.fromResult(null), "tsdb").join();
    assertEquals(Integer.MAX_VALUE, included().getMaxNumKeyValues());
  }

  private String scanner() {
    return included().toString();
  }

  private Scanner included() {
    Scanner scanner = new HBaseClient("127.0.0.1:1").newScanner("tsdb");
    scanner.setFamily("t");
    assertTrue(scanner.toString().contains(STOCK), scanner.toString());
    family.include(scanner);
    return scanner;
  }

  private static String queryScanner(TSDB tsdb) {
    TsdbQuery query = new TsdbQuery(tsdb);
    query.setStartTime(1356998400);
    query.setEndTime(1357002000);
    query.setTimeSeries(new ArrayList<>(List.of("000001000001000001")), Aggregators.SUM, false);
    Scanner scanner = query.getScanner();
    assertEquals("tsdb", scannerTable(scanner));
    return scanner.toString();
  }

  private static String scannerTable(Scanner scanner) {
    String text = scanner.toString();
    int from = text.indexOf("table=\"") + 7;
    return text.substring(from, text.indexOf('"', from));
  }
}
