package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Manual pages and completion of the real commands, and of one that has all that can go wrong. */
final class ManualTest {
  @TempDir private Path folder = Path.of("");

  @Command(
      name = "odd",
      description = {".first is no request", "back\\slash at 100 %%"},
      footer = {"", "  indented"})
  private static final class Odd implements Runnable {
    @Option(
        names = {"-n", "--number"},
        paramLabel = "COUNT",
        description = "how many, ${DEFAULT-VALUE} unless given",
        defaultValue = "3")
    private int number;

    @Option(names = "--secret", hidden = true, description = "not shown")
    private boolean secret;

    @Override
    public void run() {
      assertTrue(number > 0 && !secret);
    }
  }

  @Test
  void everyCommandHasAPage() throws IOException {
    Manual.write(folder);
    for (String name : List.of("packhorse", "packhorse-load", "packhorse-server-start")) {
      String page = Files.readString(folder.resolve("man/man1").resolve(name + ".1"));
      assertTrue(page.startsWith(".TH \""), page);
      assertTrue(page.contains("\n.SH NAME\n" + name.replace("-", "\\-") + " \\- "), page);
      assertTrue(page.contains("\\fB\\-\\-help\\fR"), page);
    }
    assertFalse(Files.exists(folder.resolve("man/man1/packhorse-help.1")));
  }

  @Test
  void theShellCompletesCommandsAndOptions() throws Exception {
    Manual.write(folder);
    Path script = folder.resolve("bash-completion/completions/packhorse");
    String asked =
        ". '%s'; COMP_WORDS=(packhorse load --dry); COMP_CWORD=2; _complete_packhorse;"
                .formatted(script)
            + " echo \"${COMPREPLY[@]}\"";
    Path said = folder.resolve("said.txt");
    int code =
        new ProcessBuilder("bash", "-c", asked)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start()
            .waitFor();
    assertEquals(0, code, Files.readString(said));
    assertTrue(Files.readString(said).contains("--dry-run"), Files.readString(said));
  }

  @Test
  void textIsNeverTakenForARequest() {
    String page = Manual.page(new CommandLine(new Odd()));
    assertTrue(page.contains("\n\\&.first is no request\n"), page);
    assertTrue(page.contains("\nback\\eslash at 100 %\n"), page);
    assertTrue(
        page.contains(
            ".TP\n\\fB\\-n\\fR, \\fB\\-\\-number\\fR=\\fICOUNT\\fR\nhow many, 3 unless given\n"),
        page);
    assertTrue(page.contains(".nf\n\\&\n  indented\n.fi\n"), page);
    assertFalse(page.contains("secret"), page);
  }
}
