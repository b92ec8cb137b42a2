package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.loadtest.Packing;
import io.packhorse.loader.loadtest.Workload;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.schema.key.BaseTime;
import io.packhorse.schema.packed.PackedCellEncoder;
import java.io.IOException;
import java.time.Duration;

/**
 * Packs the points of load tests into HBase, as a receiver does those of its clients, without the
 * way to it and without its log. A test is no job: what it writes cannot be rolled back.
 *
 * @param to stays the caller's
 * @param visibleWithin open hours are stored while they grow, so that their points can be read
 *     after this time
 */
public record LoadTestPacking(StoreConnection to, Duration visibleWithin, Announcer announcer)
    implements Packing {
  private static final long HOUR_MS = BaseTime.HOUR_SECONDS * 1000L;

  @Override
  public Packer begin(Workload workload) throws IOException {
    if (HOUR_MS / workload.interval().toMillis() > PackedCellEncoder.MAX_POINTS) {
      throw new OperationException(
          Kind.USAGE,
          "--pack needs an interval of "
              + (1 + HOUR_MS / PackedCellEncoder.MAX_POINTS)
              + "ms or more: an hour of more points takes several cells, which are stored only when"
              + " it is over.");
    }
    PutDestination puts =
        new PutDestination(to, new LoadOutput.Puts(PutDurability.SYNC, 0), CellForm.PACKED, true);
    try {
      return LoadTestPacker.begin(puts, workload, policy(), giveUp(workload), announcer);
    } catch (IOException | RuntimeException e) {
      puts.close();
      throw e;
    }
  }

  /** Nothing is spilled to disk: what is spilled would not be stored in time. */
  private SealPolicy policy() {
    SealPolicy live = SealPolicy.live((int) visibleWithin.toSeconds());
    return new SealPolicy(
        live.openHoursPerSeries(), Long.MAX_VALUE, live.idleSeconds(), live.visibleSeconds());
  }

  private Duration giveUp(Workload workload) {
    return visibleWithin.plus(workload.timeout());
  }
}
