package io.packhorse.loader.source.text;

import io.packhorse.loader.source.input.Compression;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.record.Points;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where the parts of a text file begin that several processes read. */
public final class TextCuts {
  private static final int READ_BYTES = 1 << 16;

  private TextCuts() {}

  /**
   * Beginnings of lines from which on a file can be read without what comes before.
   *
   * @param partBytes least bytes of a part but the last one
   * @return rising; empty if the file is compressed, or its format allows no such cut
   * @throws InputException if it cannot be read, or its format not be detected
   */
  public static List<Long> of(Input input, FormatChooser formats, Points points, long partBytes)
      throws IOException, InterruptedException {
    Path file = input.opener().file().orElseThrow();
    AtomicBoolean possible = new AtomicBoolean();
    TextSource.inspect(
        input,
        head -> {
          RecordFormat format = formats.choose(head);
          possible.set(format.isOneLineEach());
          return format;
        },
        points);
    List<Long> cuts = new ArrayList<>();
    if (!possible.get() || !Compression.isPlain(file)) {
      return cuts;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      long line = lineFrom(channel, partBytes);
      while (line < channel.size()) {
        cuts.add(line);
        line = lineFrom(channel, line + partBytes);
      }
    }
    return cuts;
  }

  /** Offset of the first line that starts at this offset or after it; else the size of the file. */
  private static long lineFrom(FileChannel channel, long place) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(READ_BYTES);
    long at = place - 1;
    while (channel.read(read.clear(), at) > 0) {
      for (int i = 0; i < read.position(); i++) {
        if (read.get(i) == '\n') {
          return at + i + 1;
        }
      }
      at += read.position();
    }
    return channel.size();
  }
}
