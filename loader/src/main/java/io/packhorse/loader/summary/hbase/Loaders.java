package io.packhorse.loader.summary.hbase;

import io.packhorse.loader.cell.LoaderId;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whose cells are summed up.
 *
 * @param firstStampMs least timestamp of their cells
 * @param lastStampMs greatest timestamp of their cells
 */
record Loaders(Predicate<LoaderId> test, long firstStampMs, long lastStampMs) {
  /** All but those with some ids. */
  static Loaders without(Set<Integer> ids) {
    return new Loaders(loader -> !ids.contains(loader.id()), 0, Long.MAX_VALUE - 1);
  }

  /** Some loaders, one or more; HBase passes over files without their cells. */
  static Loaders of(Set<LoaderId> loaders) {
    return new Loaders(
        loaders::contains,
        loaders.stream().mapToLong(LoaderId::stampMs).min().orElseThrow(),
        loaders.stream().mapToLong(LoaderId::stampMs).max().orElseThrow());
  }
}
