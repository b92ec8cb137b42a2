package io.packhorse.loader.resolve;

import io.packhorse.schema.uid.UidKind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Assigns UIDs in memory, from 1, for loads that store nothing. Any number of threads. */
public final class MemoryUidStore implements UidStore {
  private final Map<UidKind, Map<String, Long>> uids = new EnumMap<>(UidKind.class);

  @Override
  public synchronized long[] findOrAssign(UidKind kind, List<String> names) {
    Map<String, Long> ofKind = uids.computeIfAbsent(kind, k -> new HashMap<>());
    return names.stream()
        .mapToLong(name -> ofKind.computeIfAbsent(name, n -> ofKind.size() + 1L))
        .toArray();
  }

  @Override
  public synchronized OptionalLong find(UidKind kind, String name) {
    Long uid = uids.getOrDefault(kind, Map.of()).get(name);
    return uid == null ? OptionalLong.empty() : OptionalLong.of(uid);
  }
}
