package io.packhorse.loader.loadtest;

import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.RegionLoad;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  private Look before = new Look(List.of(), Map.of());
  private String missing = "";

  /**
   * What was seen.
   *
   * @param servers counters by server, of those whose page could be read
   */
  record Look(List<RegionLoad> regions, Map<String, ServerPage.Counters> servers) {}

  private StoreWatch(Optional<LoadTest.Store> store) {
    this.store = store;
  }

  /** Looks for the first time. */
  static StoreWatch begin(Optional<LoadTest.Store> store) throws InterruptedException {
    StoreWatch watch = new StoreWatch(store);
    watch.before = watch.look();
    return watch;
  }

  /** Looks for the second time. */
  StoreLoad end() throws InterruptedException {
    if (store.isEmpty()) {
      return StoreLoad.NOT_ASKED;
    }
    Look after = missing.isEmpty() ? look() : before;
    return missing.isEmpty() ? StoreLoad.between(before, after) : StoreLoad.missing(missing);
  }

  private Look look() throws InterruptedException {
    if (store.isEmpty()) {
      return before;
    }
    LoadTest.Store of = store.get();
    FutureTask<Look> asking = new FutureTask<>(() -> look(of));
    Thread thread = new Thread(asking, "loadtest-store");
    thread.setDaemon(true);
    thread.start();
    try {
      Look seen = asking.get(WAIT_SECONDS, TimeUnit.SECONDS);
      missing = seen.regions().isEmpty() ? "HBase has no regions of the data table" : "";
      return seen;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      missing =
          "HBase did not tell: " + (cause instanceof IOException ? cause.getMessage() : cause);
    } catch (TimeoutException e) {
      missing = "HBase did not tell within " + WAIT_SECONDS + " s";
    }
    return before;
  }

  private static Look look(LoadTest.Store store) throws IOException, InterruptedException {
    List<RegionLoad> regions = store.regions();
    HttpClient client =
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(WAIT_SECONDS / 2)).build();
    Map<String, ServerPage.Counters> servers = new TreeMap<>();
    for (FoundServer server : store.servers()) {
      ServerPage.read(client, server).ifPresent(seen -> servers.put(server.name(), seen));
    }
    return new Look(regions, servers);
  }
}
