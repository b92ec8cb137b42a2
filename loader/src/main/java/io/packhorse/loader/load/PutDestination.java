package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.pack.HourPacker.SealedAgain;
import io.packhorse.loader.pipeline.LoadPipeline;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.sink.Pace;
import io.packhorse.loader.sink.PacedSink;
import io.packhorse.loader.sink.PutDurability;
import io.packhorse.loader.sink.SeriesRecorder;
import io.packhorse.loader.sink.hbase.PutSink;
import io.packhorse.loader.sink.hbase.TableFlush;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Puts into HBase. */
final class PutDestination extends StoreDestination {
  /** At a limited pace no more is read ahead than takes so long to store. */
  private static final int QUEUED_SECONDS = 3;

  private final CellForm form;
  private final PutDurability durability;
  private final Optional<Pace> pace;
  private final int queuedPointsMax;
  private final Optional<TableFlush> flush;

  /**
   * @param form of the cells
   * @param seriesMeta whether loaded series are written to {@code tsdb-meta}
   * @throws OperationException REFUSED if HBase cannot make such Puts durable
   */
  PutDestination(StoreConnection to, LoadOutput.Puts puts, CellForm form, boolean seriesMeta) {
    super(to, seriesMeta);
    this.form = form;
    this.durability = puts.durability();
    this.pace =
        puts.pointsPerSecond() == 0
            ? Optional.empty()
            : Optional.of(new Pace(puts.pointsPerSecond()));
    this.queuedPointsMax =
        pace.isEmpty()
            ? Integer.MAX_VALUE
            : (int)
                Math.max(1, Math.min(Integer.MAX_VALUE, QUEUED_SECONDS * puts.pointsPerSecond()));
    this.flush =
        durability == PutDurability.SYNC ? Optional.empty() : Optional.of(flushOf(to, form));
  }

  private static TableFlush flushOf(StoreConnection to, CellForm form) {
    try {
      return TableFlush.of(to.cluster().connection(), to.layout().dataTable(), form.family());
    } catch (IOException e) {
      throw new OperationException(
          Kind.REFUSED, "Nothing was loaded: " + Causes.sentence(e) + ".", e);
    }
  }

  @Override
  CellSink openSink(SeriesRecorder series) throws IOException {
    CellSink sink =
        new PutSink(
            to.cluster().connection(),
            to.cluster().withoutRetries(),
            to.layout().dataTable(),
            calls(),
            callLog(),
            durability,
            flush,
            series);
    return pace.isEmpty() ? sink : new PacedSink(sink, pace.get());
  }

  @Override
  Acknowledgement acknowledgement() {
    return flush.isEmpty() ? Acknowledgement.AT_ONCE : Acknowledgement.AT_CHECKPOINTS;
  }

  @Override
  int queuedPointsMax() {
    return queuedPointsMax;
  }

  /**
   * Reads cells back: of a first run those of hours that it has sealed more than once; of a resumed
   * job all, because what an earlier run has stored behind its last checkpoint is there twice.
   */
  @Override
  Repeats repeats(
      LoadPipeline pipeline,
      SeriesResolver resolver,
      Optional<JobRun> run,
      long packed,
      Announcer announcer)
      throws IOException {
    SealedAgain again = pipeline.sealedAgain();
    boolean resumed = run.isPresent() && !run.get().first();
    if (again.isEmpty() && !resumed) {
      return Repeats.NONE;
    }
    if (form != CellForm.PACKED || run.isEmpty()) {
      return Repeats.UNKNOWN;
    }
    List<LoaderId> loaders = run.get().job().loaders();
    if (resumed || !again.complete()) {
      return StoredPoints.of(to, loaders, announcer).repeats(packed);
    }
    return StoredPoints.repeats(to, loaders, again, resolver, announcer);
  }

  @Override
  void storeSeriesMeta(SeriesNames names, SeriesResolver resolver, LastTimes times)
      throws IOException {
    new SeriesMetaWriter(to).put(names, resolver, times);
  }
}
