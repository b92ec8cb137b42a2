package io.packhorse.loader.resolve;

import io.packhorse.loader.point.Words;
import io.packhorse.schema.uid.UidKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/** Assigns UIDs in memory, from 1, for loads that store nothing. Any number of threads. */
public final class MemoryUidStore implements UidStore {
  private final Map<UidKind, Words> ofKind = new EnumMap<>(UidKind.class);

  /** UIDs are the numbers of the names, plus one: 0 is no UID. */
  public MemoryUidStore() {
    for (UidKind kind : UidKind.values()) {
      ofKind.put(kind, new Words());
    }
  }

  @Override
  public synchronized long[] findOrAssign(UidKind kind, List<String> names) {
    return names.stream().mapToLong(name -> names(kind).number(name, true) + 1L).toArray();
  }

  @Override
  public synchronized OptionalLong find(UidKind kind, String name) {
    int number = names(kind).number(name, false);
    return number == Words.NONE ? OptionalLong.empty() : OptionalLong.of(number + 1L);
  }

  private Words names(UidKind kind) {
    return Objects.requireNonNull(ofKind.get(kind));
  }
}
