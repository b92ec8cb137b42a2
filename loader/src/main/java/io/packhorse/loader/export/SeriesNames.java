package io.packhorse.loader.export;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.resolve.UidNames;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The names of series, read from the UID table in batches and kept while there is room. One thread.
 */
public final class SeriesNames {
  /** So many can be prepared together. */
  private static final int SERIES_MAX = 50_000;

  private static final int NAMES_MAX = 100_000;

  private final UidNames table;
  private final UidWidths widths;
  private final Map<UidKind, Map<Long, String>> names = new EnumMap<>(UidKind.class);
  private final Map<Tsuid, SeriesName> series = new HashMap<>();

  /** A UID of a series has no name. */
  public static final class NoNameException extends Exception {
    private static final long serialVersionUID = 1;

    private NoNameException(UidKind kind, long uid) {
      super("the " + kind.qualifier() + " UID " + uid + " has no name in the UID table");
    }
  }

  public SeriesNames(UidNames table, UidWidths widths) {
    this.table = table;
    this.widths = widths;
    for (UidKind kind : UidKind.values()) {
      names.put(kind, new HashMap<>());
    }
  }

  /** Has the names of these series at hand until the next call. */
  public void prepare(Collection<Tsuid> wanted) throws IOException {
    if (series.size() > SERIES_MAX) {
      series.clear();
    }
    Map<UidKind, Set<Long>> missing = new EnumMap<>(UidKind.class);
    for (UidKind kind : UidKind.values()) {
      if (names(kind).size() > NAMES_MAX) {
        names(kind).clear();
        series.clear();
      }
    }
    for (Tsuid each : wanted) {
      if (!series.containsKey(each)) {
        visit(
            each,
            (kind, uid) -> {
              if (!names(kind).containsKey(uid)) {
                missing.computeIfAbsent(kind, key -> new HashSet<>()).add(uid);
              }
            });
      }
    }
    for (Map.Entry<UidKind, Set<Long>> kind : missing.entrySet()) {
      names(kind.getKey()).putAll(table.names(kind.getKey(), kind.getValue()));
    }
  }

  /** The name of a series that was prepared. */
  public SeriesName of(Tsuid tsuid) throws NoNameException {
    SeriesName known = series.get(tsuid);
    if (known != null) {
      return known;
    }
    byte[] bytes = tsuid.toBytes();
    int at = widths.metric();
    String metric = name(UidKind.METRIC, uid(bytes, 0, at));
    SortedMap<String, String> tags = new TreeMap<>();
    while (at < bytes.length) {
      String key = name(UidKind.TAGK, uid(bytes, at, widths.tagk()));
      at += widths.tagk();
      tags.put(key, name(UidKind.TAGV, uid(bytes, at, widths.tagv())));
      at += widths.tagv();
    }
    SeriesName name = new SeriesName(metric, tags);
    series.put(tsuid, name);
    return name;
  }

  private interface Uids {
    void take(UidKind kind, long uid);
  }

  private void visit(Tsuid tsuid, Uids uids) {
    byte[] bytes = tsuid.toBytes();
    int at = widths.metric();
    uids.take(UidKind.METRIC, uid(bytes, 0, at));
    while (at < bytes.length) {
      uids.take(UidKind.TAGK, uid(bytes, at, widths.tagk()));
      at += widths.tagk();
      uids.take(UidKind.TAGV, uid(bytes, at, widths.tagv()));
      at += widths.tagv();
    }
  }

  private Map<Long, String> names(UidKind kind) {
    return names.computeIfAbsent(kind, key -> new HashMap<>());
  }

  private String name(UidKind kind, long uid) throws NoNameException {
    String name = names(kind).get(uid);
    if (name == null) {
      throw new NoNameException(kind, uid);
    }
    return name;
  }

  private static long uid(byte[] bytes, int at, int width) {
    long value = 0;
    for (int i = at; i < at + width; i++) {
      value = (value << 8) | (bytes[i] & 0xff);
    }
    return value;
  }
}
