package io.packhorse.loader.resolve;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Turns series names into TSUIDs; asks the UID store once for each metric, tag key and tag value.
 *
 * <p>One thread resolves. Any thread may call {@link #tsuid} for a series that was resolved before
 * its points were passed to that thread.
 */
public final class SeriesResolver {
  private final UidStore store;
  private final UidWidths widths;
  private final Map<UidKind, Map<String, Long>> known = new EnumMap<>(UidKind.class);
  private volatile Tsuid[] tsuids = new Tsuid[128];
  private volatile int resolved;

  /** Tags of the last series; often the next one has the same, as the series of one host do. */
  private Tags lastTags = Tags.of(new TreeMap<>());

  private long[] lastTagUids = {};

  /**
   * @param widths of the cluster's UIDs
   */
  public SeriesResolver(UidStore store, UidWidths widths) {
    this.store = store;
    this.widths = widths;
  }

  /**
   * Resolves all series not resolved yet; assigns UIDs to new names.
   *
   * @throws InterruptedIOException if the thread is interrupted: in a heap that is full, the rest
   *     of them might take minutes
   */
  public void resolveAll(SeriesNames names) throws IOException {
    int wanted = names.size();
    if (wanted == resolved) {
      return;
    }
    Tsuid[] grown =
        wanted <= tsuids.length ? tsuids : Arrays.copyOf(tsuids, Math.max(wanted, resolved * 2));
    findOrAssignNew(names);
    for (int id = resolved; id < wanted; id++) {
      checkInterrupt();
      grown[id] = resolve(names.get(id));
    }
    tsuids = grown;
    resolved = wanted;
  }

  /**
   * Looks up or assigns the UIDs of all unknown names of the new series, one call for each kind.
   */
  @SuppressWarnings("ReferenceEquality") // series that share tags share the object
  private void findOrAssignNew(SeriesNames names) throws IOException {
    Map<UidKind, Set<String>> unknown = new EnumMap<>(UidKind.class);
    Tags last = lastTags;
    for (int id = resolved; id < names.size(); id++) {
      checkInterrupt();
      SeriesName name = names.get(id);
      note(unknown, UidKind.METRIC, name.metric());
      if (name.tags() != last) {
        last = name.tags();
        for (int tag = 0; tag < last.size(); tag++) {
          note(unknown, UidKind.TAGK, last.key(tag));
          note(unknown, UidKind.TAGV, last.value(tag));
        }
      }
    }
    for (UidKind kind : UidKind.values()) {
      List<String> asked = List.copyOf(unknown.getOrDefault(kind, Set.of()));
      if (!asked.isEmpty()) {
        long[] uids = store.findOrAssign(kind, asked);
        for (int i = 0; i < uids.length; i++) {
          knownOf(kind).put(asked.get(i), uids[i]);
        }
      }
    }
  }

  private static void checkInterrupt() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while names are resolved");
    }
  }

  private void note(Map<UidKind, Set<String>> unknown, UidKind kind, String name) {
    if (!knownOf(kind).containsKey(name)) {
      unknown.computeIfAbsent(kind, k -> new LinkedHashSet<>()).add(name);
    }
  }

  /** Number of series resolved so far; {@link #tsuid} knows them all. Any thread. */
  public int resolved() {
    return resolved;
  }

  /** The TSUID of a resolved series. */
  public Tsuid tsuid(int series) {
    return tsuids[series];
  }

  @SuppressWarnings("ReferenceEquality") // series that share tags share the object
  private Tsuid resolve(SeriesName name) {
    long metric = uid(UidKind.METRIC, name.metric());
    if (name.tags() != lastTags) {
      lastTagUids = tagUids(name.tags());
      lastTags = name.tags();
    }
    return Tsuid.of(widths, metric, lastTagUids);
  }

  private long[] tagUids(Tags tags) {
    long[] uids = new long[tags.size() * 2];
    for (int tag = 0; tag < tags.size(); tag++) {
      uids[2 * tag] = uid(UidKind.TAGK, tags.key(tag));
      uids[2 * tag + 1] = uid(UidKind.TAGV, tags.value(tag));
    }
    return uids;
  }

  private long uid(UidKind kind, String name) {
    return Objects.requireNonNull(knownOf(kind).get(name));
  }

  private Map<String, Long> knownOf(UidKind kind) {
    return known.computeIfAbsent(kind, k -> new HashMap<>());
  }
}
