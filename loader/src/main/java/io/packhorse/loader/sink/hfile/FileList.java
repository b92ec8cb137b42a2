package io.packhorse.loader.sink.hfile;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The HFiles of a folder in a file beside them, one a line: path below the folder, bytes, CRC32C or
 * nothing, points, row keys of the first and the last cell and column of the last cell in hex,
 * separated by tabs. The last line is empty, so that a list that was cut is known as such.
 */
final class FileList {
  static final String NAME = "files.tsv";

  private static final int WORDS = 7;

  private FileList() {}

  /** Writes the list, on disk when this returns. */
  static void write(FileSystem fileSystem, Path folder, List<RegionFile> files) throws IOException {
    HexFormat hex = HexFormat.of();
    try (FSDataOutputStream out = fileSystem.create(new Path(folder, NAME));
        BufferedWriter writer =
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
      for (RegionFile file : files) {
        List<String> words =
            List.of(
                file.name(),
                Long.toString(file.bytes()),
                file.crc32c().orElse(""),
                Long.toString(file.points()),
                hex.formatHex(file.firstRow()),
                hex.formatHex(file.lastRow()),
                hex.formatHex(file.lastQualifier()));
        writer.write(String.join("\t", words) + "\n");
      }
      writer.write("\n");
      writer.flush();
      out.hsync();
    }
  }

  /**
   * @throws IOException if the list is not whole
   */
  static List<RegionFile> read(FileSystem fileSystem, Path folder) throws IOException {
    List<RegionFile> files = new ArrayList<>();
    Path list = new Path(folder, NAME);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(fileSystem.open(list), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      for (; line != null && !line.isEmpty(); line = lines.readLine()) {
        files.add(parse(folder, line));
      }
      if (line == null) {
        throw new IOException(list + " is not whole");
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(list + " is damaged", e);
    }
    return files;
  }

  private static RegionFile parse(Path folder, String line) {
    HexFormat hex = HexFormat.of();
    List<String> words = List.of(line.split("\t", -1));
    if (words.size() != WORDS) {
      throw new IllegalArgumentException(line);
    }
    return new RegionFile(
        new Path(folder, words.get(0)),
        Long.parseLong(words.get(1)),
        Optional.of(words.get(2)).filter(crc -> !crc.isEmpty()),
        Long.parseLong(words.get(3)),
        hex.parseHex(words.get(4)),
        hex.parseHex(words.get(5)),
        hex.parseHex(words.get(6)));
  }
}
