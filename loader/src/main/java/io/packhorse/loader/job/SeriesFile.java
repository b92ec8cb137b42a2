package io.packhorse.loader.job;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The series of a job in the order of their numbers, one a line: metric, tag key, tag value, ...
 * separated by tabs, which no name holds. One thread.
 */
final class SeriesFile implements Closeable {
  static final String FILE = "series";

  private final Path file;
  private final SeriesNames names;
  private final BufferedWriter writer;
  private int written;

  /**
   * Opens it and takes over what it holds.
   *
   * @param names empty; gets the series of the file
   * @param bytes of the file that count
   */
  SeriesFile(Path job, SeriesNames names, long bytes) throws IOException {
    this.file = job.resolve(FILE);
    this.names = names;
    DurableFiles.cut(file, bytes);
    if (bytes > 0) {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        names.intern(parse(line));
      }
    }
    written = names.size();
    writer =
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static SeriesName parse(String line) {
    List<String> words = List.of(line.split("\t", -1));
    SortedMap<String, String> tags = new TreeMap<>();
    for (int i = 1; i + 1 < words.size(); i += 2) {
      tags.put(words.get(i), words.get(i + 1));
    }
    return new SeriesName(words.get(0), tags);
  }

  /** Writes the series met since the last time; the length of the file. */
  long append() throws IOException {
    for (; written < names.size(); written++) {
      SeriesName name = names.get(written);
      writer.write(name.metric());
      for (int tag = 0; tag < name.tags().size(); tag++) {
        writer.write('\t' + name.tags().key(tag) + '\t' + name.tags().value(tag));
      }
      writer.write('\n');
    }
    writer.flush();
    return Files.size(file);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
