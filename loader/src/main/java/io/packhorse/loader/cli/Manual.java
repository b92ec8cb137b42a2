package io.packhorse.loader.cli;

import io.packhorse.loader.load.BuildVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Writes the manual pages and the shell completion of all commands, from the same descriptions as
 * {@code --help}. The build of the bundle runs it.
 */
final class Manual {
  private Manual() {}

  /**
   * Writes {@code man/man1/*.1} and {@code bash-completion/completions/packhorse}.
   *
   * @param args the folder to write to
   */
  public static void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ROOT);
    write(Path.of(args[0]));
  }

  static void write(Path folder) throws IOException {
    // So wide that picocli does not break the lines of a synopsis; man does.
    CommandLine all = Packhorse.commandLine().setUsageHelpWidth(10_000);
    Path pages = Files.createDirectories(folder.resolve("man").resolve("man1"));
    writePages(all, pages);
    Path completions = Files.createDirectories(folder.resolve("bash-completion/completions"));
    Files.writeString(completions.resolve("packhorse"), AutoComplete.bash("packhorse", all));
  }

  private static void writePages(CommandLine command, Path folder) throws IOException {
    Files.writeString(folder.resolve(pageName(command) + ".1"), page(command));
    for (CommandLine sub : shown(command)) {
      writePages(sub, folder);
    }
  }

  /** Subcommands in the order of the help; {@code help} itself needs no page. */
  private static List<CommandLine> shown(CommandLine command) {
    return command.getSubcommands().values().stream()
        .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
        .filter(sub -> !(sub.getCommandSpec().userObject() instanceof HelpCommand))
        .toList();
  }

  private static String pageName(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  /** One page, in the language of man(7). */
  static String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    List<String> description = lines(usage.description());
    List<String> page = new ArrayList<>();
    page.add(
        ".TH \"%s\" \"1\" \"\" \"Packhorse %s\" \"Packhorse manual\""
            .formatted(pageName(command).toUpperCase(Locale.ROOT), BuildVersion.version()));
    page.add(".SH NAME");
    String first = description.isEmpty() ? spec.qualifiedName() : description.get(0);
    page.add(escape(pageName(command)) + " \\- " + escape(first));
    page.add(".SH SYNOPSIS");
    page.add(escape(command.getHelp().synopsis(0).replaceAll("\\s+", " ").strip()));
    page.add(".SH DESCRIPTION");
    description.forEach(line -> page.add(text(line)));
    List<OptionSpec> options = spec.options().stream().filter(option -> !option.hidden()).toList();
    List<PositionalParamSpec> operands =
        spec.positionalParameters().stream().filter(operand -> !operand.hidden()).toList();
    if (!options.isEmpty() || !operands.isEmpty()) {
      page.add(".SH OPTIONS");
      operands.forEach(operand -> addEntry(page, label(operand), operand));
      options.forEach(option -> addEntry(page, names(option), option));
    }
    List<CommandLine> commands = shown(command);
    if (!commands.isEmpty()) {
      page.add(".SH COMMANDS");
      for (CommandLine sub : commands) {
        page.add(".TP");
        page.add("\\fB" + escape(pageName(sub)) + "\\fR(1)");
        lines(sub.getCommandSpec().usageMessage().description())
            .forEach(line -> page.add(text(line)));
      }
    }
    if (!usage.exitCodeList().isEmpty()) {
      page.add(".SH EXIT STATUS");
      usage
          .exitCodeList()
          .forEach((code, meaning) -> page.addAll(List.of(".TP", escape(code), text(meaning))));
    }
    if (usage.footer().length > 0) {
      page.add(".SH " + section(usage.footerHeading()));
      page.add(".nf");
      lines(usage.footer()).forEach(line -> page.add(text(line)));
      page.add(".fi");
    }
    CommandSpec parent = spec.parent();
    if (parent != null) {
      page.add(".SH SEE ALSO");
      page.add("\\fB" + escape(parent.qualifiedName("-")) + "\\fR(1)");
    }
    return String.join("\n", page) + "\n";
  }

  private static void addEntry(List<String> page, String term, ArgSpec argument) {
    page.add(".TP");
    page.add(term);
    lines(argument.description()).forEach(line -> page.add(text(line)));
  }

  /** Names in bold and the value in italics, as in {@code -d, --dir=DIRECTORY}. */
  private static String names(OptionSpec option) {
    String names =
        Arrays.stream(option.names())
            .map(name -> "\\fB" + escape(name) + "\\fR")
            .collect(Collectors.joining(", "));
    return option.arity().max() == 0 ? names : names + "=" + label(option);
  }

  private static String label(ArgSpec argument) {
    return "\\fI" + escape(argument.paramLabel()) + "\\fR";
  }

  private static String section(String heading) {
    String text = format(heading).strip().replaceFirst(":$", "");
    return text.isEmpty() ? "NOTES" : escape(text.toUpperCase(Locale.ROOT));
  }

  /** What picocli would print: its descriptions are format strings with markup. */
  private static List<String> lines(String... described) {
    return Arrays.stream(described)
        .map(line -> Ansi.OFF.string(format(line)))
        .flatMap(line -> line.isEmpty() ? Stream.of("") : line.lines())
        .toList();
  }

  private static String format(String described) {
    try {
      return String.format(described);
    } catch (IllegalFormatException e) {
      return described; // As picocli does.
    }
  }

  /** A line of text: neither a request of man(7) nor, where it is empty, left out. */
  private static String text(String line) {
    String escaped = escape(line);
    return escaped.startsWith(".") || escaped.startsWith("'") || escaped.isEmpty()
        ? "\\&" + escaped
        : escaped;
  }

  private static String escape(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
