package org.hbase.async;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes errors as HBase's client reports them, whose constructors asynchbase keeps to itself. */
public final class StoreFailures {
  private StoreFailures() {}

  /** As for a get of a family that the table does not have. */
  public static NoSuchColumnFamilyException missingFamily() {
    return new NoSuchColumnFamilyException("Column family p does not exist", null);
  }

  /** One of each kind that means: try again. All of them name the {@code RegionClient@1}. */
  public static List<HBaseException> passing() {
    return List.of(
        timedOut(),
        new PleaseThrottleException("1001 RPCs waiting, RegionClient@1", null, null, null),
        new NotServingRegionException("tsdb,,1 on RegionClient@1", null),
        new NonRecoverableException(
            "Too many attempts: RegionClient@1", new ConnectionResetException(null)),
        new NonRecoverableException("Too many attempts: RegionClient@1"),
        new TableNotFoundException("tsdb".getBytes(StandardCharsets.US_ASCII)));
  }

  /** A call that was not answered. */
  public static HBaseException timedOut() {
    return new RpcTimedOutException("RPC ID [7] timed out on RegionClient@1", null);
  }

  /** HBase's refusal. */
  public static HBaseException refused() {
    return new RemoteException(
        "org.apache.hadoop.hbase.security.AccessDeniedException", "user x, RegionClient@1");
  }
}
