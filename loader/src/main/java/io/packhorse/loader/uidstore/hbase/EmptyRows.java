package io.packhorse.loader.uidstore.hbase;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.ComparatorProtos.BinaryComparator;
import org.apache.hadoop.hbase.protobuf.generated.ComparatorProtos.ByteArrayComparable;
import org.apache.hadoop.hbase.protobuf.generated.ComparatorProtos.Comparator;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Fills many cells that are empty, each in a row of its own, in one atomic step: with one entry in
 * the log and one wait for it, where compare-and-set takes one for each row. By HBase's
 * MultiRowMutationEndpoint, where a table has it; rows of one step must be of one region.
 *
 * <p>Any number of threads.
 */
final class EmptyRows {
  /** Earlier servers pass over the conditions, and would write over what is there (HBASE-25703). */
  private static final String SINCE = "2.5.0";

  /** What a server in the master's process says. */
  private static final String OF_THE_MASTER = "0.0.0";

  /** What an absent cell is equal to. */
  private static final Comparator ABSENT =
      Comparator.newBuilder()
          .setName("org.apache.hadoop.hbase.filter.BinaryComparator")
          .setSerializedComparator(
              BinaryComparator.newBuilder()
                  .setComparable(ByteArrayComparable.newBuilder().setValue(ByteString.EMPTY))
                  .build()
                  .toByteString())
          .build();

  private final Connection connection;
  private volatile State state = State.UNKNOWN;

  /** What the cluster can do. */
  private enum State {
    UNKNOWN,
    THERE,
    MISSING
  }

  /**
   * A cell, as long as nobody else has filled it.
   *
   * @param row not copied, not to be changed, as the others
   */
  record EmptyCell(byte[] row, byte[] family, byte[] qualifier, byte[] value) {}

  EmptyRows(Connection connection) {
    this.connection = connection;
  }

  /**
   * Fills all or none.
   *
   * @param cells of distinct rows, at least one
   * @return whether they are filled; if not, nothing was written: one of them is not empty, which
   *     after a lost answer may be by this call's first attempt, or the cluster cannot do it for
   *     these
   */
  boolean fill(Table table, List<EmptyCell> cells) throws IOException {
    if (!isThere()) {
      return false;
    }
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    for (EmptyCell cell : cells) {
      ByteString row = ByteString.copyFrom(cell.row());
      ByteString family = ByteString.copyFrom(cell.family());
      ByteString qualifier = ByteString.copyFrom(cell.qualifier());
      request.addCondition(
          Condition.newBuilder()
              .setRow(row)
              .setFamily(family)
              .setQualifier(qualifier)
              .setCompareType(CompareType.EQUAL)
              .setComparator(ABSENT));
      request.addMutationRequest(
          MutationProto.newBuilder()
              .setRow(row)
              .setMutateType(MutationType.PUT)
              .addColumnValue(
                  ColumnValue.newBuilder()
                      .setFamily(family)
                      .addQualifierValue(
                          ColumnValue.QualifierValue.newBuilder()
                              .setQualifier(qualifier)
                              .setValue(ByteString.copyFrom(cell.value())))));
    }
    try {
      return MultiRowMutationService.newBlockingStub(table.coprocessorService(cells.get(0).row()))
          .mutateRows(null, request.build())
          .getProcessed();
    } catch (ServiceException e) {
      if (!(e.getCause() instanceof IOException cause)) {
        throw new IOException(e);
      }
      if (!(cause instanceof DoNotRetryIOException)) {
        throw cause;
      }
      // The table has no such endpoint, or the rows are of two regions.
      state = State.MISSING;
      return false;
    }
  }

  /** One at a time: of many calls that begin together the first asks the cluster. */
  private synchronized boolean isThere() throws IOException {
    if (state == State.UNKNOWN) {
      state = everyServerChecks() ? State.THERE : State.MISSING;
    }
    return state == State.THERE;
  }

  private boolean everyServerChecks() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics cluster =
          admin.getClusterMetrics(
              EnumSet.of(ClusterMetrics.Option.HBASE_VERSION, ClusterMetrics.Option.LIVE_SERVERS));
      return checkConditions(
          Stream.concat(
              Stream.of(String.valueOf(cluster.getHBaseVersion())),
              cluster.getLiveServerMetrics().values().stream().map(ServerMetrics::getVersion)));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException noMasterAnswers) {
      return false;
    }
  }

  /**
   * Whether all servers heed conditions.
   *
   * @param versions of all, the master's among them
   */
  static boolean checkConditions(Stream<String> versions) {
    return versions
        .filter(version -> !version.equals(OF_THE_MASTER))
        .allMatch(version -> VersionInfo.compareVersion(version, SINCE) >= 0);
  }
}
