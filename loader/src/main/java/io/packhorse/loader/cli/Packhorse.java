package io.packhorse.loader.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.packhorse.loader.load.LoadEngine;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code packhorse}: its subcommands, and how their errors are reported. */
@Command(
    name = "packhorse",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Packs an hour of points per series into one cell and loads it into OpenTSDB.",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:internal error; the message names a file with the details",
      "2:wrong option or value",
      "3:done, but some lines were rejected, or stored columns cannot be read",
      "4:stopped: more lines were rejected, or points replaced, than allowed",
      "5:the cluster cannot be reached, or a write failed after all retries",
      "6:what was read back differs from what was loaded",
      "7:refused before anything was written: port, disk, directory, Java, tables, TSD; or a check"
          + " of doctor failed",
      "8:done, but more than 1 %% of the load's points replaced each other",
      "130:interrupted"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  packhorse demo                  start a store, load, verify and query, on this machine",
      "  packhorse estimate FILE         how small your own points become; no server needed",
      "  packhorse load FILE             import lines into the store",
      "  packhorse doctor                whether a store and its TSDs are ready for a load",
      "  packhorse server start          an HBase and an OpenTSDB on this machine",
      "  packhorse server status         where they answer, how much they hold",
      "  packhorse server stop           the data stay",
      "  packhorse help server start     the options of one command",
      "",
      "The store lies in data/packhorse beside the packhorse script, unless --dir or the",
      "environment variable PACKHORSE_DIR names another directory. PACKHORSE_LOG=FILE",
      "writes the HBase client's log to a file.",
    })
public final class Packhorse implements Runnable {
  private static final int JAVA_MIN = 17;
  private static final int JAVA_MAX = 25;
  private static final int HELP_COLUMNS = 100;

  /** In the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          CellCommand.class,
          DemoCommand.class,
          DoctorCommand.class,
          EstimateCommand.class,
          ExportCommand.class,
          HFileCommand.class,
          JobCommand.class,
          LoadCommand.class,
          LoadTestCommand.class,
          ReceiveCommand.class,
          RepackCommand.class,
          SchemaCommand.class,
          SummaryCommand.class,
          VerifyCommand.class,
          ServerCommand.class,
          HelpCommand.class);

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    int java = Runtime.version().feature();
    if (java < JAVA_MIN || java > JAVA_MAX) {
      System.err.println(
          "packhorse: Java "
              + java
              + " is not supported, JDK 17 to 25 is needed; set PACKHORSE_JAVA_HOME to one");
      return ExitCode.PREFLIGHT.code();
    }
    // Digits are 0 to 9 and fractions have a point, in names of series as in what is printed.
    Locale.setDefault(Locale.ROOT);
    ClientLog.configure(Map.copyOf(System.getenv()));
    CommandLine commandLine = commandLine(args).setErr(new PrintWriter(System.err, true, UTF_8));
    // The command has its stream; what libraries print themselves must not mix with its words.
    System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
    return execute(commandLine, args);
  }

  /**
   * Runs {@code load} on an engine, with {@code --sink hfiles} unless another one is given. The
   * streams and the log of the process stay as they are.
   *
   * @param err gets what is said on standard error
   * @param args of the command line, {@code load} the first
   * @return the exit code
   */
  public static int runLoad(LoadEngine engine, PrintWriter err, String... args) {
    Locale.setDefault(Locale.ROOT);
    CommandLine commandLine = new CommandLine(new Packhorse());
    commandLine.addSubcommand(new CommandLine(new LoadCommand(engine)));
    set(commandLine)
        .setErr(err)
        .setDefaultValueProvider(
            about ->
                about instanceof OptionSpec option && option.longestName().equals("--sink")
                    ? SinkKind.HFILES.toString()
                    : null);
    return execute(commandLine, args);
  }

  /** As {@link #runLoad(LoadEngine, PrintWriter, String...)}, on the process's standard error. */
  public static int runLoad(LoadEngine engine, String... args) {
    return runLoad(engine, new PrintWriter(System.err, true, UTF_8), args);
  }

  /** Runs one command; errors, which picocli lets pass, are said as well. */
  static int execute(CommandLine commandLine, String... args) {
    try {
      return commandLine.execute(args);
    } catch (Error e) {
      return ErrorReport.report(e, commandLine, List.of(args));
    }
  }

  /**
   * All commands, or the one that the arguments begin with alone: to make all of them takes a tenth
   * of a second.
   */
  static CommandLine commandLine(String... args) {
    CommandLine commandLine = new CommandLine(new Packhorse());
    named(args).forEach(commandLine::addSubcommand);
    return set(commandLine);
  }

  private static CommandLine set(CommandLine commandLine) {
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        // A list of inputs is the command's own.
        .setExpandAtFiles(false)
        .setUsageHelpWidth(HELP_COLUMNS)
        .setParameterExceptionHandler(Packhorse::refuse)
        .setExecutionExceptionHandler(new ErrorReport());
  }

  private static List<Class<?>> named(String... args) {
    String first = args.length == 0 ? "" : args[0];
    for (Class<?> command : COMMANDS) {
      Command about = command.getAnnotation(Command.class);
      if (about != null && about.name().equals(first) && command != HelpCommand.class) {
        return List.of(command);
      }
    }
    return COMMANDS;
  }

  /** Without a subcommand: shows what there is. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int refuse(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("packhorse: " + error.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(error, err);
    err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    if (JsonOption.isAsked(List.of(args))) {
      JsonOption.printError(
          command.getOut(),
          JsonOption.name(command.getCommandSpec()),
          ExitCode.USAGE,
          String.valueOf(error.getMessage()));
    }
    return ExitCode.USAGE.code();
  }
}
