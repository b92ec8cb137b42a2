package io.packhorse.benchmarks.load;

import io.packhorse.benchmarks.Store;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What else could take the points, each in a process of its own. */
public final class Peers {
  private static final String HEAP = "-Xmx4g";

  private Peers() {}

  /** What a peer did. */
  record Result(MeasuredProcess process, double storedBytes) {}

  /**
   * Has TsFile write files, reads them back and compares count and sum.
   *
   * @param words as in {@link TsFilePeer}, with FOLDER for the folder
   * @param every so-manieth device is read back
   * @throws IOException if there are others than expected
   */
  static Result tsFile(List<String> words, int every, long count, double sum)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-tsfile");
    try {
      List<String> writing = new ArrayList<>(words);
      writing.replaceAll(word -> word.equals("FOLDER") ? folder.toString() : word);
      MeasuredProcess process = MeasuredProcess.run(tsFilePeer(writing));
      long bytes = 0;
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          bytes += Files.size(file);
        }
      }
      String[] read =
          MeasuredProcess.run(tsFilePeer(List.of("sum", folder.toString(), "" + every)))
              .output()
              .strip()
              .split(" ", -1);
      double difference = Math.abs(Double.parseDouble(read[1]) - sum);
      if (Long.parseLong(read[0]) != count || difference > Math.abs(sum) * 1e-9) {
        throw new IOException(
            String.format(
                "TsFile gives back %s points, sum %s; expected %d, %s",
                read[0], read[1], count, sum));
      }
      return new Result(process, bytes);
    } finally {
      delete(folder);
    }
  }

  private static List<String> tsFilePeer(List<String> words) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(java(), HEAP, "-XX:+UseParallelGC"));
    command.addAll(List.of("-cp", lib("benchmarks"), TsFilePeer.class.getName()));
    command.addAll(words);
    return command;
  }

  /**
   * Runs OpenTSDB's own importer, of its published jar, over a file and a store.
   *
   * @param file of import lines
   */
  public static MeasuredProcess tsdbImport(Store store, Path file)
      throws IOException, InterruptedException {
    return tsdbTool(store, "TextImporter", List.of(file.toString()), Path.of("/dev/null"));
  }

  /**
   * Runs one of OpenTSDB's own tools, of its published jar, over a store.
   *
   * @param words its arguments
   * @param output gets what it prints
   */
  public static MeasuredProcess tsdbTool(Store store, String tool, List<String> words, Path output)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("packhorse-tool");
    try {
      Path config = folder.resolve("opentsdb.conf");
      Files.writeString(
          config, Files.readString(store.tsdConfig()) + "tsd.storage.max_tags = 16\n");
      Path logging = folder.resolve("logback.xml");
      Files.writeString(logging, "<configuration><root level=\"OFF\"/></configuration>\n");
      List<String> command = new ArrayList<>(List.of(java(), HEAP, "-XX:+UseParallelGC"));
      command.add("-Dlogback.configurationFile=" + logging);
      command.addAll(List.of("-cp", lib("tsd"), "net.opentsdb.tools." + tool));
      command.add("--config=" + config);
      command.addAll(words);
      return MeasuredProcess.run(command, output);
    } finally {
      delete(folder);
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String lib(String folder) {
    return System.getProperty("packhorse.lib", "") + File.separator + folder + File.separator + "*";
  }

  /** Deletes a folder and all in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
