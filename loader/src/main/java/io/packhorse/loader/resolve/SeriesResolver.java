package io.packhorse.loader.resolve;

import io.packhorse.loader.point.SeriesName;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.point.Tags;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns series names into TSUIDs, asking the UID store once for each metric, tag key and tag value.
 *
 * <p>One thread resolves; any thread may read {@link #tsuid} of a series whose points it was handed
 * after it was resolved.
 */
public final class SeriesResolver {
  private final UidStore store;
  private final UidWidths widths;
  private final Map<UidKind, Map<String, Long>> known = new EnumMap<>(UidKind.class);
  private volatile Tsuid[] tsuids = new Tsuid[128];
  private int resolved;

  /** The series of one host come one after the other and share their tags. */
  private Tags lastTags = Tags.of(new TreeMap<>());

  private long[] lastTagUids = {};

  /**
   * @param widths of the cluster's UIDs
   */
  public SeriesResolver(UidStore store, UidWidths widths) {
    this.store = store;
    this.widths = widths;
  }

  /** Resolves every series of {@code names} not resolved before, assigning UIDs where needed. */
  public void resolveAll(SeriesNames names) throws IOException {
    int wanted = names.size();
    if (wanted == resolved) {
      return;
    }
    Tsuid[] grown =
        wanted <= tsuids.length ? tsuids : Arrays.copyOf(tsuids, Math.max(wanted, resolved * 2));
    for (int id = resolved; id < wanted; id++) {
      grown[id] = resolve(names.get(id));
    }
    resolved = wanted;
    tsuids = grown;
  }

  /** The TSUID of a series resolved before. */
  public Tsuid tsuid(int series) {
    return tsuids[series];
  }

  @SuppressWarnings("ReferenceEquality") // those who share tags share the object
  private Tsuid resolve(SeriesName name) throws IOException {
    long metric = uid(UidKind.METRIC, name.metric());
    if (name.tags() != lastTags) {
      lastTagUids = tagUids(name.tags());
      lastTags = name.tags();
    }
    return Tsuid.of(widths, metric, lastTagUids);
  }

  private long[] tagUids(Tags tags) throws IOException {
    long[] uids = new long[tags.size() * 2];
    for (int tag = 0; tag < tags.size(); tag++) {
      uids[2 * tag] = uid(UidKind.TAGK, tags.key(tag));
      uids[2 * tag + 1] = uid(UidKind.TAGV, tags.value(tag));
    }
    return uids;
  }

  private long uid(UidKind kind, String name) throws IOException {
    Map<String, Long> cache = known.computeIfAbsent(kind, k -> new HashMap<>());
    Long uid = cache.get(name);
    if (uid == null) {
      uid = store.findOrAssign(kind, name);
      cache.put(name, uid);
    }
    return uid;
  }
}
