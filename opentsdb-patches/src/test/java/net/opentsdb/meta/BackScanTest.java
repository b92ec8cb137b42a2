package net.opentsdb.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.LastPoints;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NonApiType") // The HBase client hands out ArrayLists.
final class BackScanTest {
  private static final long NEWEST = 1_700_000_000L / 3600 * 3600;

  @Test
  void findsAPackedPointManyHoursBackWhenRowsComeAtOnce() throws Exception {
    long wanted = NEWEST - 400_000L * 3600;
    IncomingDataPoint point =
        search(400_000, hour -> Deferred.fromResult(hour == wanted ? LastPoints.packed() : null));
    assertEquals("8", point.getValue());
    assertEquals("000001000001000001", point.getTSUID());
  }

  @Test
  void findsAPackedPointManyHoursBackWhenRowsComeLater() throws Exception {
    long wanted = NEWEST - 20_000L * 3600;
    List<Runnable> later = new ArrayList<>();
    BackScan scan =
        new BackScan(
            LastPoints.tsdb(),
            LastPoints.tsuid(),
            NEWEST,
            20_000,
            new AtomicLong(),
            hour -> {
              Deferred<ArrayList<KeyValue>> row = new Deferred<>();
              later.add(() -> row.callback(hour == wanted ? LastPoints.packed() : null));
              return row;
            });
    Deferred<IncomingDataPoint> found = scan.from(null);
    for (int i = 0; i < later.size(); i++) {
      later.get(i).run();
    }
    assertEquals("8", found.join(1000).getValue());
    assertEquals(20_000, later.size());
  }

  @Test
  void passesRowsWithoutPoints() throws Exception {
    IncomingDataPoint point =
        search(
            3,
            hour ->
                Deferred.fromResult(
                    hour == NEWEST - 7200 ? LastPoints.packed() : LastPoints.annotated()));
    assertEquals("8", point.getValue());
  }

  @Test
  void failsOnADamagedCell() {
    ArrayList<KeyValue> row = new ArrayList<>(List.of(LastPoints.damaged()));
    assertThrows(IllegalDataException.class, () -> search(3, hour -> Deferred.fromResult(row)));
  }

  @Test
  void passesDamagedCellsIfToldTo() throws Exception {
    LongFunction<Deferred<ArrayList<KeyValue>>> rows =
        hour ->
            Deferred.fromResult(
                hour == NEWEST - 7200
                    ? LastPoints.packed()
                    : new ArrayList<>(List.of(LastPoints.damaged())));
    ArrayList<KeyValue> newest =
        new ArrayList<>(List.of(LastPoints.damaged(), LastPoints.annotated().get(0)));
    AtomicLong skipped = new AtomicLong();
    IncomingDataPoint point =
        new BackScan(LastPoints.skippingTsdb(), LastPoints.tsuid(), NEWEST, 3, skipped, rows)
            .from(newest)
            .join(30_000);
    assertEquals("8", point.getValue());
    assertEquals(2, skipped.get());
  }

  @Test
  void givesUpAfterTheGivenHours() throws Exception {
    List<Long> asked = new ArrayList<>();
    assertNull(
        search(
            3,
            hour -> {
              asked.add(hour);
              return Deferred.fromResult(new ArrayList<>());
            }));
    assertEquals(List.of(NEWEST - 3600, NEWEST - 7200, NEWEST - 10_800), asked);
  }

  @Test
  void passesOnWhatWentWrong() {
    assertThrows(
        IllegalStateException.class,
        () -> search(3, hour -> Deferred.fromError(new IllegalStateException("gone"))));
  }

  private static IncomingDataPoint search(
      int hours, LongFunction<Deferred<ArrayList<KeyValue>>> rows) throws Exception {
    return new BackScan(
            LastPoints.tsdb(), LastPoints.tsuid(), NEWEST, hours, new AtomicLong(), rows)
        .from(null)
        .join(30_000);
  }
}
