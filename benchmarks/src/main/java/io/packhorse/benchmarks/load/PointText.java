package io.packhorse.benchmarks.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Lines of points that can be computed again. Every run has names of its own. */
interface PointText {
  /** 2024-01-01. */
  long START_S = 1_704_067_200L;

  /** What its lines are called in the report: rows or points. */
  String unit();

  /** Lines in the file. */
  long rows();

  /** Points in the file. */
  long points();

  /**
   * Writes the file that a run loads.
   *
   * @param run number of the run, part of names in the file
   */
  void write(Path file, int run) throws IOException;

  /** Options that the file needs, beside its name. */
  List<String> options();

  /** What a TSD must answer once a run is loaded. */
  List<KnownSeries> samples(int run);

  /** A smaller text of the same kind, of at most so many points, one on each line. */
  PointText sample(long pointsMax);

  /** How {@link TsFilePeer} reads it. */
  TsFilePeer.Form form();

  /** Of how many series, or hosts, one is read back from a peer. */
  int readEvery();

  /** Points of those. */
  long readPoints();

  /** Sum of their values. */
  double readSum();
}
