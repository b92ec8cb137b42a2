package io.packhorse.loader.point;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the series of one load from 0 in order of first sight, so that points carry an int.
 *
 * <p>One thread adds; others may only read what was handed over to them with a batch.
 */
public final class SeriesNames {
  private final Map<SeriesName, Integer> ids = new HashMap<>();
  private final List<SeriesName> names = new ArrayList<>();

  /** The number of a series, given now if it is new. */
  public int intern(SeriesName name) {
    Integer known = ids.putIfAbsent(name, names.size());
    if (known != null) {
      return known;
    }
    names.add(name);
    return names.size() - 1;
  }

  /** The name of series {@code id}. */
  public SeriesName get(int id) {
    return names.get(id);
  }

  /** Number of series seen. */
  public int size() {
    return names.size();
  }
}
