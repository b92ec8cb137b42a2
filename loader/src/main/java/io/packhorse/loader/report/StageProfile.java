package io.packhorse.loader.report;

import java.util.Map;
import java.util.TreeMap;

/**
 * Where the threads of a load spend their time, by looking at their stacks now and then. One thread
 * looks, any may ask.
 */
public final class StageProfile {
  private static final String OURS = "io.packhorse.";
  private static final String THREADS = "packhorse-";

  private final Map<String, Map<String, Long>> looks = new TreeMap<>();

  /** Whether a thread of this name is one of a load's. */
  public static boolean isOfLoad(String threadName) {
    return threadName.startsWith(THREADS);
  }

  /**
   * Takes a look at one thread.
   *
   * @param name of a thread that {@link #isOfLoad is of a load}
   * @param stack innermost method first
   */
  public synchronized void look(String name, Thread.State state, StackTraceElement[] stack) {
    String stage = stage(stack, state);
    if (!stage.isEmpty()) {
      looks.computeIfAbsent(kind(name), kind -> new TreeMap<>()).merge(stage, 1L, Long::sum);
    }
  }

  /** {@code shard} of {@code packhorse-shard-3}. */
  private static String kind(String name) {
    return name.substring(THREADS.length()).replaceFirst("-\\d+$", "");
  }

  /** What the innermost method of ours is there for; empty for a thread that has nothing to do. */
  static String stage(StackTraceElement[] stack, Thread.State state) {
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      if (type.startsWith(OURS)) {
        return stage(type, state == Thread.State.RUNNABLE);
      }
    }
    return "";
  }

  private static String stage(String type, boolean running) {
    if (type.startsWith(OURS + "loader.report.") || type.startsWith(OURS + "loader.cli.")) {
      return "";
    }
    if (type.contains(".sink.") || type.contains("uidstore") || type.contains(".resolve.")) {
      String what = type.contains(".sink.") ? "cells" : "names";
      return running ? "storing " + what : "waiting for the store, " + what;
    }
    if (!running) {
      return "waiting for another thread";
    }
    if (type.contains(".source.") || type.contains(".point.")) {
      return "reading and parsing";
    }
    if (type.contains(".pack.") || type.startsWith(OURS + "schema.")) {
      return "packing";
    }
    return type.contains(".job.") ? "checkpoints" : "handing over";
  }

  /** Looks by kind of thread and stage; a copy. */
  public synchronized Map<String, Map<String, Long>> looks() {
    Map<String, Map<String, Long>> copy = new TreeMap<>();
    looks.forEach((kind, stages) -> copy.put(kind, new TreeMap<>(stages)));
    return copy;
  }
}
