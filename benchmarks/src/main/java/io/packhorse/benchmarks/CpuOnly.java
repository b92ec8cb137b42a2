package io.packhorse.benchmarks;

import java.util.List;

/** The data of TSBS' use case cpu-only. */
public final class CpuOnly {
  /** The integer fields of a host's row, in the order of TSBS. */
  public static final List<String> FIELDS =
      List.of(
          "usage_user",
          "usage_system",
          "usage_idle",
          "usage_nice",
          "usage_iowait",
          "usage_irq",
          "usage_softirq",
          "usage_steal",
          "usage_guest",
          "usage_guest_nice");

  private CpuOnly() {}
}
