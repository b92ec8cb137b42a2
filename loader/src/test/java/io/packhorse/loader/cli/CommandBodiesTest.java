package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands parse, call and print: what takes more lines belongs below the command line. */
class CommandBodiesTest {
  private static final int LINES_MAX = 20;
  private static final Pattern BODY =
      Pattern.compile("\n( +)public Integer call\\(\\)[^{]*\\{\n(.*?)\n\\1\\}", Pattern.DOTALL);

  @Test
  void aCommandHasTwentyLinesAtMost() throws IOException {
    List<String> longer = new ArrayList<>();
    int bodies = 0;
    for (Path file : sources()) {
      Matcher body = BODY.matcher(Files.readString(file));
      while (body.find()) {
        bodies++;
        long lines = body.group(2).lines().count();
        if (lines > LINES_MAX) {
          longer.add(file.getFileName() + ": " + lines);
        }
      }
    }
    assertEquals(List.of(), longer);
    assertTrue(bodies > 15, "bodies found: " + bodies);
  }

  private static List<Path> sources() throws IOException {
    Path root = Path.of(System.getProperty("packhorse.root"));
    try (Stream<Path> files =
        Files.list(root.resolve("loader/src/main/java/io/packhorse/loader/cli"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
