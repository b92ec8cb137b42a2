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
 * Reads and writes the list of the HFiles in a folder. One line per file, fields separated by tabs:
 * path below the folder, bytes, CRC32C or nothing, points, and in hex the row key of the first
 * cell, the row key and the column of the last cell. The last line is empty, so that a truncated
 * list is detected.
 */
final class FileList {
  static final String NAME = "files.tsv";

  private static final int FIELDS = 7;

  private FileList() {}

  /** Writes the list; it is on disk when this returns. */
  static void write(FileSystem fileSystem, Path folder, List<RegionFile> files) throws IOException {
    HexFormat hex = HexFormat.of();
    try (FSDataOutputStream out = fileSystem.create(new Path(folder, NAME));
        BufferedWriter writer =
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
      for (RegionFile file : files) {
        List<String> fields =
            List.of(
                file.name(),
                Long.toString(file.bytes()),
                file.crc32c().orElse(""),
                Long.toString(file.points()),
                hex.formatHex(file.firstRow()),
                hex.formatHex(file.lastRow()),
                hex.formatHex(file.lastQualifier()));
        writer.write(String.join("\t", fields) + "\n");
      }
      writer.write("\n");
      writer.flush();
      out.hsync();
    }
  }

  /**
   * @throws IOException if the list is truncated or damaged
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
        throw new IOException(list + " is truncated");
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(list + " is damaged", e);
    }
    return files;
  }

  private static RegionFile parse(Path folder, String line) {
    HexFormat hex = HexFormat.of();
    List<String> fields = List.of(line.split("\t", -1));
    if (fields.size() != FIELDS) {
      throw new IllegalArgumentException(line);
    }
    return new RegionFile(
        new Path(folder, fields.get(0)),
        Long.parseLong(fields.get(1)),
        Optional.of(fields.get(2)).filter(crc -> !crc.isEmpty()),
        Long.parseLong(fields.get(3)),
        hex.parseHex(fields.get(4)),
        hex.parseHex(fields.get(5)),
        hex.parseHex(fields.get(6)));
  }
}
