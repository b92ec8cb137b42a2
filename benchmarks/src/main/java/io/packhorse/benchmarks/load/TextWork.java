package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file of lines.
 *
 * @param file replaced by each run
 */
record TextWork(String name, PointText text, Path file) implements Work {
  @Override
  public long points() {
    return text.points();
  }

  @Override
  public Optional<Long> rows() {
    return text.rows() == text.points() ? Optional.empty() : Optional.of(text.rows());
  }

  @Override
  public void prepare(int run) throws IOException {
    text.write(file, run);
  }

  @Override
  public List<String> command(int run) {
    List<String> command = new ArrayList<>(List.of("load", file.toString()));
    command.addAll(text.options());
    return command;
  }

  @Override
  public void check(Store store, int run) throws IOException, InterruptedException {
    SampleQuery.check(store, text.samples(run), 0);
  }

  @Override
  public Peers.Result tsFile(int threads) throws IOException, InterruptedException {
    return Peers.tsFile(
        List.of("text", text.form().name(), file.toString(), "FOLDER", "" + threads),
        text.readEvery(),
        text.readPoints(),
        text.readSum());
  }

  @Override
  public PointText importSample(long pointsMax) {
    return text.sample(pointsMax);
  }
}
