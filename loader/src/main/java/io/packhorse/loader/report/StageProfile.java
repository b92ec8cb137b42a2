package io.packhorse.loader.report;

import java.util.Map;
import java.util.TreeMap;

/**
 * A sampling profile of a load: counts what the threads are doing each time their stacks are
 * sampled. Any number of threads.
 */
public final class StageProfile {
  private static final String OURS = "io.packhorse.";
  private static final String THREADS = "packhorse-";

  private final Map<String, Map<String, Long>> samples = new TreeMap<>();

  /** Whether a thread of this name belongs to a load. */
  public static boolean isOfLoad(String threadName) {
    return threadName.startsWith(THREADS);
  }

  /**
   * Adds a stack sample of one thread.
   *
   * @param name of a thread that {@link #isOfLoad belongs to a load}
   * @param stack innermost method first
   */
  public synchronized void sample(String name, Thread.State state, StackTraceElement[] stack) {
    String stage = stage(stack, state);
    if (!stage.isEmpty()) {
      samples.computeIfAbsent(kind(name), kind -> new TreeMap<>()).merge(stage, 1L, Long::sum);
    }
  }

  /** The kind of a thread: {@code shard} for {@code packhorse-shard-3}. */
  private static String kind(String name) {
    return name.substring(THREADS.length()).replaceFirst("-\\d+$", "");
  }

  /** The stage of the innermost method of Packhorse; empty for a thread that has nothing to do. */
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
    if (type.startsWith(OURS + "loader.report.")
        || type.startsWith(OURS + "loader.cli.")
        || type.startsWith(OURS + "loader.load.")) {
      return "";
    }
    if (type.contains(".sink.") || type.contains("uidstore") || type.contains(".resolve.")) {
      String what = type.contains(".sink.") ? "cells" : "names";
      return running ? "storing " + what : "waiting for the store (" + what + ")";
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
    return type.contains(".job.") ? "checkpoints" : "passing points to shards";
  }

  /** Number of samples by kind of thread and stage; a copy. */
  public synchronized Map<String, Map<String, Long>> samples() {
    Map<String, Map<String, Long>> copy = new TreeMap<>();
    samples.forEach((kind, stages) -> copy.put(kind, new TreeMap<>(stages)));
    return copy;
  }
}
