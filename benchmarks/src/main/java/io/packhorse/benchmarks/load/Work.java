package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What a case loads. Each run of it has points of its own, all runs equally many. */
interface Work {
  /** Of the case. */
  String name();

  /** Points of a run. */
  long points();

  /** What else to count in a run; empty where points are all there is. */
  Optional<Long> rows();

  /** Makes what a run needs, before the clock starts. */
  void prepare(int run) throws IOException;

  /** The command that loads a run, without store, sink and threads. */
  List<String> command(int run);

  /** Asks the TSD for some points of a run. */
  void check(Store store, int run) throws IOException, InterruptedException;

  /** Has TsFile write the points of the run prepared last. */
  Peers.Result tsFile(int threads) throws IOException, InterruptedException;

  /** Lines of the same kind for OpenTSDB's importer. */
  PointText importSample(long pointsMax);
}
