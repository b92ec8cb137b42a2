package io.packhorse.loader.load;

import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A source that fails once too many of its lines were rejected. One thread. */
final class BudgetedSource implements PointSource {
  private final PointSource source;
  private final RejectBudget budget;
  private final LongSupplier leftOut;
  private final LongSupplier rejected;
  private long points;

  /** The budget is used up. */
  static final class ExceededException extends IOException {
    private static final long serialVersionUID = 1;

    ExceededException(long rejected, long lines) {
      super(
          String.format(
              "%s of %s lines were rejected, more than --max-rejects allows",
              HumanNumbers.count(rejected), HumanNumbers.count(lines)));
    }
  }

  /**
   * @param pointsBefore read before the place where the source begins
   * @param leftOut points that the source has read but that the load does not ask for
   * @param rejected lines rejected, those of earlier runs included
   */
  BudgetedSource(
      PointSource source,
      RejectBudget budget,
      long pointsBefore,
      LongSupplier leftOut,
      LongSupplier rejected) {
    this.source = source;
    this.budget = budget;
    this.points = pointsBefore;
    this.leftOut = leftOut;
    this.rejected = rejected;
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    PointBatch batch = source.next();
    points += batch == null ? 0 : batch.points();
    long lines = points + leftOut.getAsLong() + rejected.getAsLong();
    if (budget.exceededBy(rejected.getAsLong(), lines, batch == null)) {
      throw new ExceededException(rejected.getAsLong(), lines);
    }
    return batch;
  }

  @Override
  public Optional<SourcePosition> position() {
    return source.position();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
