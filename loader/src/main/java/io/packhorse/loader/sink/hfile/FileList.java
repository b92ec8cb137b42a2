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
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The HFiles of a folder in a file beside them, one a line: path below the folder, points, row key
 * and column of the last cell in hex, separated by tabs.
 */
final class FileList {
  private static final String NAME = "files.tsv";

  private FileList() {}

  /** Writes the list, on disk when this returns. */
  static void write(FileSystem fileSystem, Path folder, List<RegionFile> files) throws IOException {
    HexFormat hex = HexFormat.of();
    try (FSDataOutputStream out = fileSystem.create(new Path(folder, NAME));
        BufferedWriter writer =
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
      for (RegionFile file : files) {
        Path path = file.path();
        writer.write(path.getParent().getName() + "/" + path.getName() + "\t" + file.points());
        writer.write("\t" + hex.formatHex(file.lastRow()));
        writer.write("\t" + hex.formatHex(file.lastQualifier()) + "\n");
      }
      writer.flush();
      out.hsync();
    }
  }

  static List<RegionFile> read(FileSystem fileSystem, Path folder) throws IOException {
    HexFormat hex = HexFormat.of();
    List<RegionFile> files = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                fileSystem.open(new Path(folder, NAME)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = List.of(line.split("\t", -1));
        files.add(
            new RegionFile(
                new Path(folder, words.get(0)),
                Long.parseLong(words.get(1)),
                hex.parseHex(words.get(2)),
                hex.parseHex(words.get(3))));
      }
    }
    return files;
  }
}
