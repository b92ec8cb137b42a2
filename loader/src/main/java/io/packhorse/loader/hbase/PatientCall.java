package io.packhorse.loader.hbase;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;

/**
 * Repeats calls while no server has the region, because it is moving or being split. Any thread.
 */
public final class PatientCall {
  /** How long a region may be without a server. */
  private static final Duration UNSERVED_MAX = Duration.ofMinutes(5);

  private PatientCall() {}

  /** A call that may be repeated. */
  public interface Call<T> {
    T get() throws IOException;
  }

  /** Calls until the region is served; HBase's client tries for half a minute each time. */
  public static <T> T of(Call<T> call) throws IOException {
    long deadline = System.nanoTime() + UNSERVED_MAX.toNanos();
    while (true) {
      try {
        return call.get();
      } catch (IOException e) {
        if (!isUnserved(e) || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Deletes what the list holds; it is empty afterwards. */
  public static void delete(Table table, List<Delete> deletes) throws IOException {
    of(
        () -> {
          // The client removes from the list what has succeeded.
          table.delete(deletes);
          return deletes;
        });
    deletes.clear();
  }

  /** Whether servers answer, but none serves the region. */
  private static boolean isUnserved(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      List<Throwable> ofRows =
          e instanceof RetriesExhaustedWithDetailsException rows ? rows.getCauses() : List.of();
      if (e instanceof NotServingRegionException
          || e instanceof NoServerForRegionException
          || (!ofRows.isEmpty() && ofRows.stream().allMatch(PatientCall::isUnserved))) {
        return true;
      }
    }
    return false;
  }
}
