package io.packhorse.loader.job;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.point.StringInterner;
import io.packhorse.loader.point.Tags;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The series of a job in the order of their numbers, one a line: metric, tag key, tag value, ...
 * separated by tabs, which no name holds; a metric alone has the tags of the line before. One
 * thread.
 */
final class SeriesFile implements Closeable {
  static final String FILE = "series";

  private final Path file;
  private final SeriesNames names;
  private final BufferedWriter writer;

  /** Of all bytes of the file. */
  private final CRC32C crc = new CRC32C();

  private int written;

  /** Of the last line: the series of one host come one after the other and share their tags. */
  private Tags lastTags = Tags.of(new TreeMap<>());

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
      read();
    }
    written = names.size();
    writer =
        new BufferedWriter(
            new OutputStreamWriter(
                new CheckedOutputStream(
                    Files.newOutputStream(
                        file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    crc),
                StandardCharsets.UTF_8.newEncoder()));
  }

  private void read() throws IOException {
    StringInterner words = new StringInterner();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new CheckedInputStream(Files.newInputStream(file), crc),
                StandardCharsets.UTF_8.newDecoder()))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int metricEnd = line.indexOf('\t');
        if (metricEnd >= 0) {
          lastTags = tags(line.substring(metricEnd + 1), words);
        }
        String metric = metricEnd < 0 ? line : line.substring(0, metricEnd);
        names.intern(new SeriesName(words.intern(metric), lastTags));
      }
    }
  }

  private static Tags tags(String text, StringInterner shared) {
    List<String> words = List.of(text.split("\t", -1));
    SortedMap<String, String> tags = new TreeMap<>();
    for (int i = 0; i + 1 < words.size(); i += 2) {
      tags.put(shared.intern(words.get(i)), shared.intern(words.get(i + 1)));
    }
    return Tags.of(tags);
  }

  /** Checksum of the first bytes of the file in a job's folder. */
  static int crc32c(Path job, long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(job.resolve(FILE))) {
      for (long left = bytes; left > 0; ) {
        int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (count < 0) {
          break;
        }
        crc.update(buffer, 0, count);
        left -= count;
      }
    }
    return (int) crc.getValue();
  }

  /** Checksum of the file as it was last appended to. */
  int crc32c() {
    return (int) crc.getValue();
  }

  /** Writes the series met since the last time; the length of the file. */
  long append() throws IOException {
    for (; written < names.size(); written++) {
      SeriesName name = names.get(written);
      writer.write(name.metric());
      if (!name.tags().equals(lastTags)) {
        lastTags = name.tags();
        for (int tag = 0; tag < lastTags.size(); tag++) {
          writer.write('\t' + lastTags.key(tag) + '\t' + lastTags.value(tag));
        }
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
