package io.packhorse.loader.load;

import io.packhorse.loader.job.LoadInput;
import io.packhorse.loader.job.RejectBudget;
import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.source.PointSource;
import io.packhorse.loader.source.SourcePosition;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A source that fails once too many of its lines were rejected, or too many of its points replaced
 * others. One thread, but for {@link #points}.
 */
final class BudgetedSource implements PointSource {
  private final PointSource source;
  private final LoadInput.Files limits;
  private final LongSupplier leftOut;
  private final LongSupplier rejected;
  private final LongSupplier replaced;
  private final AtomicLong points;

  /** A limit is exceeded. */
  static final class ExceededException extends IOException {
    private static final long serialVersionUID = 1;
    private final Kind kind;

    private ExceededException(Kind kind, String sentence) {
      super(sentence);
      this.kind = kind;
    }

    /** Which one. */
    Kind kind() {
      return kind;
    }
  }

  /**
   * @param pointsBefore read before the place where the source begins
   * @param leftOut points that the source has read but that the load does not ask for
   * @param rejected lines rejected, those of earlier runs included
   * @param replaced points replaced so far, those of earlier runs included
   */
  BudgetedSource(
      PointSource source,
      LoadInput.Files limits,
      long pointsBefore,
      LongSupplier leftOut,
      LongSupplier rejected,
      LongSupplier replaced) {
    this.source = source;
    this.limits = limits;
    this.points = new AtomicLong(pointsBefore);
    this.leftOut = leftOut;
    this.rejected = rejected;
    this.replaced = replaced;
  }

  @Override
  public @Nullable PointBatch next() throws IOException, InterruptedException {
    PointBatch batch = source.next();
    long read = points.addAndGet(batch == null ? 0 : batch.points());
    long bad = rejected.getAsLong();
    checkRejected(limits, bad, read + leftOut.getAsLong() + bad, batch == null);
    check(limits, replaced.getAsLong(), read, batch == null);
    return batch;
  }

  /**
   * Checks the limit of rejected lines.
   *
   * @param lines all that were read
   * @throws ExceededException if they are more
   */
  static void checkRejected(LoadInput.Files limits, long rejected, long lines, boolean atTheEnd)
      throws ExceededException {
    if (limits.budget().exceededBy(rejected, lines, atTheEnd)) {
      throw new ExceededException(
          Kind.TOO_MANY_REJECTS,
          HumanNumbers.count(rejected)
              + " of "
              + HumanNumbers.count(lines, "line was", "lines were")
              + " rejected, more than --max-rejects allows");
    }
  }

  /** Points read, those before the place where the source began included. Any thread. */
  long points() {
    return points.get();
  }

  /**
   * Checks the limit of replaced points.
   *
   * @throws ExceededException if they are more
   */
  static void check(LoadInput.Files limits, long replaced, long points, boolean atTheEnd)
      throws ExceededException {
    RejectBudget budget = limits.replaced();
    if (budget != null && budget.exceededBy(replaced, points, atTheEnd)) {
      throw new ExceededException(
          Kind.TOO_MANY_REPLACED,
          HumanNumbers.count(replaced)
              + " of "
              + HumanNumbers.count(points, "point", "points")
              + " have the series and time of another one, more than --max-replaced allows");
    }
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
