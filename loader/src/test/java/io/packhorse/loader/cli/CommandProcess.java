package io.packhorse.loader.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of the distribution in processes of their own, so that a test can kill them. */
final class CommandProcess {
  private CommandProcess() {}

  /**
   * A process to be started; its errors go where its output does.
   *
   * @param arguments of packhorse
   * @param jvmOptions further ones
   */
  static ProcessBuilder of(List<String> arguments, String... jvmOptions) {
    Path lib = Path.of(System.getProperty("packhorse.lib", "")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmOptions));
    command.add("-Dpackhorse.lib=" + lib);
    command.addAll(List.of("-cp", lib.resolve("loader").resolve("*").toString()));
    command.add(Packhorse.class.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true);
  }
}
