package io.packhorse.loader.sink.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.Test;

final class RowRetriesTest {
  private final List<Integer> answered = new ArrayList<>();
  private final List<Integer> retried = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private final List<String> attempts = new ArrayList<>();
  private long nowMs;

  /** Each attempt takes a second. */
  private final RowRetries.Clock clock =
      new RowRetries.Clock() {
        @Override
        public long nanos() {
          return TimeUnit.MILLISECONDS.toNanos(nowMs);
        }

        @Override
        public void pause(long millis) {
          pauses.add(millis);
          nowMs += millis;
        }
      };

  @Test
  void putsAgainWhatFailedAndNothingElse() throws Exception {
    RowRetries retries =
        retries(
            (rows, results) -> {
              boolean first = attempts.size() == 1;
              for (int i = 0; i < results.length; i++) {
                results[i] = first && i % 2 == 1 ? new NotServingRegionException() : new Result();
              }
              if (first) {
                throw new IOException("not all went well");
              }
            });
    retries.put(rows(5), answered::add);
    assertEquals(List.of(0, 2, 4, 1, 3), answered);
    assertEquals(List.of("01234", "13"), attempts);
    assertEquals(List.of(2), retried);
    assertEquals(List.of(100L), pauses);
  }

  @Test
  void pausesGrowUntilSomethingIsTaken() throws Exception {
    RowRetries retries =
        retries(
            (rows, results) -> {
              Arrays.fill(results, new NotServingRegionException());
              if (attempts.size() >= 9) {
                results[0] = new Result();
              }
            });
    retries.put(rows(2), answered::add);
    assertEquals(List.of(100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 6400L, 100L), pauses);
  }

  @Test
  void givesUpAfterAMinuteWithoutARow() {
    NotServingRegionException reason = new NotServingRegionException("moved");
    RowRetries retries = retries((rows, results) -> Arrays.fill(results, reason));
    IOException said = assertThrows(IOException.class, () -> retries.put(rows(1), answered::add));
    assertSame(reason, said.getCause());
    assertTrue(nowMs >= 60_000 && nowMs < 70_000, () -> nowMs + " ms");
    assertEquals(List.of(), answered);
  }

  @Test
  void waitsLongerForARegionThatIsBusy() {
    RegionTooBusyException busy = new RegionTooBusyException("above the memstore limit");
    RowRetries retries = retries((rows, results) -> Arrays.fill(results, busy));
    assertThrows(IOException.class, () -> retries.put(rows(1), answered::add));
    assertTrue(nowMs >= 300_000 && nowMs < 310_000, () -> nowMs + " ms");
  }

  @Test
  void permanentErrorsFailAtOnce() {
    TableNotFoundException reason = new TableNotFoundException("no table tsdb");
    RowRetries retries =
        retries(
            (rows, results) -> {
              results[0] = new RegionTooBusyException("busy");
              results[1] = new IOException("wrapped", reason);
            });
    IOException said = assertThrows(IOException.class, () -> retries.put(rows(2), answered::add));
    assertTrue(said.getCause() instanceof IOException, said::toString);
    assertEquals(List.of("01"), attempts);
  }

  /** A region that was split a moment ago; HBase's client fails at once then. */
  @Test
  void waitsForARegionThatNoServerHasYet() throws Exception {
    RowRetries retries =
        retries(
            (rows, results) -> {
              Arrays.fill(results, new NoServerForRegionException("No server address listed"));
              if (attempts.size() != 2) {
                results[0] = new Result();
              }
            });
    retries.put(rows(2), answered::add);
    assertEquals(List.of("01", "1", "1"), attempts);
  }

  /** Another load has added it, and HBase opens one region after the other once more. */
  @Test
  void waitsForARegionToKnowOfItsFamily() throws Exception {
    RowRetries retries =
        retries(
            (rows, results) -> {
              Arrays.fill(results, new NoSuchColumnFamilyException("no family p"));
              if (attempts.size() != 2) {
                results[0] = new Result();
              }
            });
    retries.put(rows(2), answered::add);
    assertEquals(List.of("01", "1", "1"), attempts);
  }

  @Test
  void aCallThatFailsAsAWholeIsTriedAgain() throws Exception {
    RowRetries retries =
        retries(
            (rows, results) -> {
              if (attempts.size() == 1) {
                throw new SocketTimeoutException("no answer");
              }
              Arrays.fill(results, new Result());
            });
    retries.put(rows(2), answered::add);
    assertEquals(List.of(0, 1), answered);
    assertEquals(List.of(2), retried);
  }

  @Test
  void anInterruptEndsIt() {
    RowRetries retries =
        retries(
            (rows, results) -> {
              results[1] = new Result();
              throw new InterruptedIOException();
            });
    assertThrows(InterruptedIOException.class, () -> retries.put(rows(2), answered::add));
    assertEquals(1, attempts.size());
    assertEquals(List.of(1), answered, "what got through counts");
  }

  @Test
  void nothingIsPutAgainOnceItIsEnded() {
    RowRetries retries =
        retries((rows, results) -> Arrays.fill(results, new NotServingRegionException()));
    retries.end();
    assertThrows(IOException.class, () -> retries.put(rows(1), answered::add));
    assertEquals(1, attempts.size());
  }

  private RowRetries retries(RowRetries.Calls calls) {
    return new RowRetries(
        (rows, results) -> {
          StringBuilder which = new StringBuilder();
          rows.forEach(row -> which.append(row.getRow()[0]));
          attempts.add(which.toString());
          nowMs += 1000;
          calls.put(rows, results);
        },
        clock,
        retried::add);
  }

  private static List<Put> rows(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Put(new byte[] {(byte) i})).toList();
  }
}
