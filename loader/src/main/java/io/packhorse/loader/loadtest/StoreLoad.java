package io.packhorse.loader.loadtest;

import io.packhorse.loader.table.RegionLoad;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What HBase did for the data table while a test ran, ramp and warm-up included. Immutable.
 *
 * @param regions the one with the most requests first; empty if it is not known
 * @param counters of all tables, by region server, of those whose page could be read
 * @param missing why it is not known; empty if it is
 */
public record StoreLoad(
    List<Region> regions, Map<String, ServerPage.Counters> counters, String missing) {
  /** Of a test that was not told where its HBase is. */
  static final StoreLoad NOT_ASKED =
      missing("HBase was not asked: name it with --dir, --zookeeper or --hbase-conf");

  /**
   * What was done with a region, or with all regions of a server.
   *
   * @param reads requests, one a row
   * @param writes requests, one a row
   * @param memoryBytes of cells that were in memory only, at the end
   * @param filesBefore store files at the beginning; 0 for a new region
   * @param files store files at the end
   * @param moreFileBytes of its files than at the beginning; below 0 if they are fewer
   */
  record Activity(
      long reads, long writes, long memoryBytes, int filesBefore, int files, long moreFileBytes) {
    static final Activity NONE = new Activity(0, 0, 0, 0, 0, 0);

    private static Activity between(RegionLoad then, RegionLoad now) {
      return new Activity(
          now.reads() - then.reads(),
          now.writes() - then.writes(),
          now.memoryBytes(),
          then.files(),
          now.files(),
          now.fileBytes() - then.fileBytes());
    }

    private Activity plus(Activity other) {
      return new Activity(
          reads + other.reads,
          writes + other.writes,
          memoryBytes + other.memoryBytes,
          filesBefore + other.filesBefore,
          files + other.files,
          moreFileBytes + other.moreFileBytes);
    }

    long requests() {
      return reads + writes;
    }

    private void putInto(Map<String, Object> json) {
      json.put("reads", reads);
      json.put("writes", writes);
      json.put("memory_bytes", memoryBytes);
      json.put("files_before", filesBefore);
      json.put("files", files);
      json.put("more_file_bytes", moreFileBytes);
    }
  }

  /**
   * A region during the test.
   *
   * @param isNew whether it was opened meanwhile, after a split, a merge or a move: it counts from
   *     then on
   */
  record Region(String server, String name, boolean isNew, Activity did) {}

  /**
   * All regions of a server.
   *
   * @param regions how many
   */
  record Server(String name, int regions, Activity did) {
    private static Server of(String name, List<Region> regions) {
      return new Server(
          name,
          regions.size(),
          regions.stream().map(Region::did).reduce(Activity.NONE, Activity::plus));
    }
  }

  static StoreLoad missing(String why) {
    return new StoreLoad(List.of(), Map.of(), why);
  }

  /** What was done between two looks. */
  static StoreLoad between(StoreWatch.Look before, StoreWatch.Look after) {
    Map<String, RegionLoad> known =
        before.regions().stream()
            .collect(Collectors.toMap(RegionLoad::region, Function.identity()));
    List<Region> regions = new ArrayList<>();
    for (RegionLoad now : after.regions()) {
      RegionLoad then = known.get(now.region());
      boolean isNew =
          then == null
              || !then.server().equals(now.server())
              || now.reads() < then.reads()
              || now.writes() < then.writes();
      RegionLoad since =
          isNew
              ? new RegionLoad(now.server(), now.region(), 0, 0, 0, 0, 0)
              : Objects.requireNonNull(then);
      regions.add(new Region(now.server(), now.region(), isNew, Activity.between(since, now)));
    }
    regions.sort(Comparator.comparingLong((Region each) -> each.did().requests()).reversed());
    Map<String, ServerPage.Counters> counters = new TreeMap<>();
    after
        .servers()
        .forEach(
            (server, now) -> {
              ServerPage.Counters then = before.servers().get(server);
              // One that was started again meanwhile counts from its start.
              if (then != null && now.flushes() >= then.flushes()) {
                counters.put(server, now.since(then));
              }
            });
    return new StoreLoad(List.copyOf(regions), counters, "");
  }

  /** The servers that have regions of the table, in the order of their names. */
  List<Server> servers() {
    Map<String, List<Region>> byServer =
        regions.stream()
            .collect(Collectors.groupingBy(Region::server, TreeMap::new, Collectors.toList()));
    return byServer.entrySet().stream()
        .map(each -> Server.of(each.getKey(), each.getValue()))
        .toList();
  }

  /** Requests of all regions. */
  long requests() {
    return regions.stream().mapToLong(each -> each.did().requests()).sum();
  }

  /** Requests of the busiest region over those of the average one: 1 if all are alike. */
  double regionSkew() {
    long all = requests();
    return all == 0 ? 1 : (double) regions.get(0).did().requests() * regions.size() / all;
  }

  /** Regions that were opened during the test. */
  long newRegions() {
    return regions.stream().filter(Region::isNew).count();
  }

  /** For programs. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("missing", missing);
    if (missing.isEmpty()) {
      json.put("region_skew", regionSkew());
      json.put("regions_new", newRegions());
      json.put("servers", servers().stream().map(this::json).toList());
      json.put("regions", regions.stream().map(StoreLoad::json).toList());
    }
    return json;
  }

  private Map<String, Object> json(Server of) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("server", of.name());
    json.put("regions", of.regions());
    of.did().putInto(json);
    ServerPage.Counters seen = counters.get(of.name());
    json.put("flushes", seen == null ? null : seen.flushes());
    json.put("compactions", seen == null ? null : seen.compactions());
    json.put("writes_blocked_ms", seen == null ? null : seen.blockedMs());
    json.put("blocked_requests", seen == null ? null : seen.blockedRequests());
    return json;
  }

  private static Map<String, Object> json(Region of) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("region", of.name());
    json.put("server", of.server());
    json.put("new", of.isNew());
    of.did().putInto(json);
    return json;
  }
}
