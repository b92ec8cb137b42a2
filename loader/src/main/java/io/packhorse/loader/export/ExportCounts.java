package io.packhorse.loader.export;

import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.StoredColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What an export has done so far. Any number of threads. */
public final class ExportCounts {
  private static final int EXAMPLES_MAX = 10;

  private final LongAdder points = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final LongAdder annotations = new LongAdder();
  private final LongAdder histograms = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final List<BrokenColumn> examples = new ArrayList<>();
  private final BrokenLog log;

  /** Takes every broken column; one call at a time. */
  public interface BrokenLog {
    void take(BrokenColumn column) throws IOException;
  }

  public ExportCounts(BrokenLog log) {
    this.log = log;
  }

  /** Points exported. */
  public long points() {
    return points.sum();
  }

  /** Series-hours with exported points. */
  public long rows() {
    return rows.sum();
  }

  /** Points that were not exported because a column of higher precedence has their time. */
  public long replaced() {
    return replaced.sum();
  }

  /** Annotations in the rows read, which are not exported. */
  public long annotations() {
    return annotations.sum();
  }

  /** Histograms in the rows read, which are not exported. */
  public long histograms() {
    return histograms.sum();
  }

  /** Columns of no known kind. */
  public long unknown() {
    return unknown.sum();
  }

  /** Columns and rows that cannot be read. */
  public long broken() {
    return broken.sum();
  }

  /** The first of them. */
  public synchronized List<BrokenColumn> examples() {
    return List.copyOf(examples);
  }

  /**
   * Adds the counts of somebody else.
   *
   * @param columns that they could not read, all of them
   */
  public void add(ExportCounts other, List<BrokenColumn> columns) throws IOException {
    points.add(other.points());
    rows.add(other.rows());
    replaced.add(other.replaced());
    annotations.add(other.annotations());
    histograms.add(other.histograms());
    unknown.add(other.unknown());
    for (BrokenColumn column : columns) {
      broken(column);
    }
  }

  void exported(int count, int replacedPoints) {
    points.add(count);
    rows.increment();
    replaced.add(replacedPoints);
  }

  /** A column that holds no points. */
  void leftOut(StoredColumn.Kind kind) {
    switch (kind) {
      case ANNOTATION -> annotations.increment();
      case HISTOGRAM -> histograms.increment();
      default -> unknown.increment();
    }
  }

  synchronized void broken(BrokenColumn column) throws IOException {
    broken.increment();
    if (examples.size() < EXAMPLES_MAX) {
      examples.add(column);
    }
    log.take(column);
  }
}
