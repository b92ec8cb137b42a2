package io.packhorse.loader.load;

import io.packhorse.loader.source.input.Input;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is read of inputs, in bytes on disk, compressed or not. Any thread. */
final class InputBytes {
  private final AtomicLong read = new AtomicLong();
  private final List<Input> inputs;
  private final long size;

  InputBytes(List<Input> inputs) {
    this.inputs =
        inputs.stream()
            .map(input -> new Input(input.name(), input.size(), counting(input.opener())))
            .toList();
    size =
        inputs.stream().allMatch(Input::isPlainFile)
            ? inputs.stream().mapToLong(Input::size).sum()
            : -1;
  }

  /** The inputs, counted while they are read. */
  List<Input> inputs() {
    return inputs;
  }

  /** Bytes read so far. */
  long read() {
    return read.get();
  }

  /** Share of all inputs that is read, 0 to 1; negative if one is of unknown length. */
  double share() {
    return size < 0 ? -1 : size == 0 ? 1 : Math.min(1, (double) read.get() / size);
  }

  private Input.Opener counting(Input.Opener opener) {
    return new Input.Opener() {
      @Override
      public InputStream open() throws IOException {
        return counting(opener.open());
      }

      @Override
      public Optional<Path> file() {
        return opener.file();
      }

      @Override
      public void read(long bytes) {
        read.addAndGet(bytes);
      }
    };
  }

  private InputStream counting(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int next = super.read();
        read.addAndGet(next < 0 ? 0 : 1);
        return next;
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int count = super.read(into, from, length);
        read.addAndGet(Math.max(0, count));
        return count;
      }

      @Override
      public long skip(long count) throws IOException {
        long skipped = super.skip(count);
        read.addAndGet(skipped);
        return skipped;
      }
    };
  }
}
