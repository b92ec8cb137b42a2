package io.packhorse.loader.store;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a JVM that outlives this one.
 *
 * @param jvmOptions options before the class name
 * @param classPath class path
 * @param mainClass main class
 * @param arguments arguments after the class name
 * @param findsPrograms whether the process gets this one's PATH, to start other programs
 */
record JavaCommand(
    List<String> jvmOptions,
    String classPath,
    String mainClass,
    List<String> arguments,
    boolean findsPrograms) {

  /**
   * Starts the process with its output in a file. It ignores Ctrl-C and the end of the terminal,
   * which reach every process of the terminal.
   */
  ServerProcess start(Path output) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectErrorStream(true);
    if (!findsPrograms) {
      builder.environment().put("PATH", "/nonexistent");
    }
    return ServerProcess.of(builder.start().toHandle());
  }

  /** Option for a heap of 1/divisor of the machine's memory, 512 MiB to {@code mibMax}. */
  static String heap(int divisor, int mibMax) {
    long total =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getTotalMemorySize();
    long mib = Math.max(512, Math.min(mibMax, (total / divisor) >> 20));
    return "-Xmx" + mib + "m";
  }
}
