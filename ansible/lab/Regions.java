import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What lab/paper asks of HBase's master. The data table has one byte of salt.
 *
 * <ul>
 *   <li>{@code splittable}: lets regions be split, by command
 *   <li>{@code place HOST...}: turns the balancer off, moves the regions to these servers, by salt bucket in turn,
 *       and waits until nothing is compacted
 *   <li>{@code split BUCKETS METRIC SECONDS PAUSE}: waits until the metric has its UID, and the pause in seconds, and
 *       then splits the region of each salt bucket at that time of the metric
 * </ul>
 */
final class Regions {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final String BY_COMMAND =
      "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy";
  private static final int TRIES = 600;

  private Regions() {}

  public static void main(String[] arguments) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(TABLE)) {
      switch (arguments[0]) {
        case "splittable" ->
            admin.modifyTable(
                TableDescriptorBuilder.newBuilder(admin.getDescriptor(TABLE))
                    .setRegionSplitPolicyClassName(BY_COMMAND)
                    .build());
        case "place" -> place(admin, locator, List.of(arguments).subList(1, arguments.length));
        case "split" ->
            split(
                connection,
                admin,
                locator,
                Integer.parseInt(arguments[1]),
                arguments[2],
                Integer.parseInt(arguments[3]),
                Long.parseLong(arguments[4]));
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  private static void place(Admin admin, RegionLocator locator, List<String> hosts)
      throws Exception {
    admin.balancerSwitch(false, true);
    List<ServerName> servers = new ArrayList<>();
    for (String host : hosts) {
      servers.add(
          admin.getRegionServers().stream()
              .filter(server -> server.getHostname().equals(host))
              .findFirst()
              .orElseThrow());
    }
    for (HRegionLocation region : locations(locator)) {
      ServerName server = wanted(region, servers);
      if (!server.equals(region.getServerName())) {
        admin.move(region.getRegion().getEncodedNameAsBytes(), server);
      }
    }
    for (int tries = 0; tries < TRIES; tries++) {
      TreeMap<String, Integer> placed = new TreeMap<>();
      boolean all = true;
      for (HRegionLocation region : locations(locator)) {
        ServerName server = region.getServerName();
        all &= wanted(region, servers).equals(server);
        placed.merge(server == null ? "none" : server.getHostname(), 1, Integer::sum);
      }
      // What earlier loads left to be compacted is no part of the next one; nor can it be split.
      if (all && admin.getCompactionState(TABLE) == CompactionState.NONE) {
        System.out.println("regions: " + placed);
        return;
      }
      Thread.sleep(500);
    }
    throw new IllegalStateException("regions are not where they belong");
  }

  /** All regions of a salt bucket are on one server: of those cut by time the last one is written to. */
  private static ServerName wanted(HRegionLocation region, List<ServerName> servers) {
    byte[] start = region.getRegion().getStartKey();
    return servers.get((start.length == 0 ? 0 : start[0]) % servers.size());
  }

  private static List<HRegionLocation> locations(RegionLocator locator) throws Exception {
    locator.clearRegionLocationCache();
    return locator.getAllRegionLocations();
  }

  private static void split(
      Connection connection,
      Admin admin,
      RegionLocator locator,
      int buckets,
      String metric,
      int seconds,
      long pause)
      throws Exception {
    byte[] uid = null;
    try (Table uids = connection.getTable(TableName.valueOf("tsdb-uid"))) {
      for (int tries = 0; uid == null && tries < TRIES; tries++) {
        Thread.sleep(100);
        uid = uids.get(new Get(Bytes.toBytes(metric))).getValue(Bytes.toBytes("id"), Bytes.toBytes("metrics"));
      }
    }
    Thread.sleep(1000 * pause);
    long began = System.nanoTime();
    List<Future<Void>> splits = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] key = ByteBuffer.allocate(1 + uid.length + 4).put((byte) bucket).put(uid).putInt(seconds).array();
      RegionInfo region = locator.getRegionLocation(key, true).getRegion();
      splits.add(admin.splitRegionAsync(region.getRegionName(), key));
    }
    for (Future<Void> split : splits) {
      split.get();
    }
    System.out.printf("%d regions split in %.1f s%n", splits.size(), (System.nanoTime() - began) / 1e9);
  }
}
