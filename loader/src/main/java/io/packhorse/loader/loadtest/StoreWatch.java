package io.packhorse.loader.loadtest;

import io.packhorse.loader.table.RegionLoad;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at HBase's counters when a test begins and when it ends. A store that is slow, which is
 * what a load test may make of it, holds up neither for long. One thread.
 */
final class StoreWatch {
  private static final int WAIT_SECONDS = 10;

  private final Optional<LoadTest.Store> store;
  private List<RegionLoad> before = List.of();
  private String missing = "";

  private StoreWatch(Optional<LoadTest.Store> store) {
    this.store = store;
  }

  /** Looks for the first time. */
  static StoreWatch begin(Optional<LoadTest.Store> store) throws InterruptedException {
    StoreWatch watch = new StoreWatch(store);
    watch.before = watch.ask();
    return watch;
  }

  /** Looks for the second time. */
  StoreLoad end() throws InterruptedException {
    if (store.isEmpty()) {
      return StoreLoad.NOT_ASKED;
    }
    List<RegionLoad> after = missing.isEmpty() ? ask() : List.of();
    return missing.isEmpty() ? StoreLoad.between(before, after) : StoreLoad.missing(missing);
  }

  private List<RegionLoad> ask() throws InterruptedException {
    if (store.isEmpty()) {
      return List.of();
    }
    FutureTask<List<RegionLoad>> asking = new FutureTask<>(store.get()::regions);
    Thread thread = new Thread(asking, "loadtest-store");
    thread.setDaemon(true);
    thread.start();
    try {
      List<RegionLoad> regions = asking.get(WAIT_SECONDS, TimeUnit.SECONDS);
      missing = regions.isEmpty() ? "HBase has no regions of the data table" : "";
      return regions;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      missing =
          "HBase did not tell: " + (cause instanceof IOException ? cause.getMessage() : cause);
    } catch (TimeoutException e) {
      missing = "HBase did not tell within " + WAIT_SECONDS + " s";
    }
    return List.of();
  }
}
