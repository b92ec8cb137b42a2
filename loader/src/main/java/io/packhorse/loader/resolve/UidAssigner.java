package io.packhorse.loader.resolve;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidRows;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Assigns UIDs by OpenTSDB's protocol, a block at a time: reserves numbers from the counter of the
 * kind, writes the reverse rows (UID to name), then the forward rows (name to UID), each only if
 * the row is empty. So a crash leaves unused UIDs, but never a name whose UID has no reverse row.
 * An unused UID is not used again.
 *
 * <p>Any number of threads; one of them assigns at a time.
 */
public final class UidAssigner implements UidStore {
  /** Names in one block. */
  private static final int BLOCK_MAX = 1 << 14;

  private final UidTable table;
  private final UidWidths widths;
  private final long newNamesMax;
  private long newNames;

  /**
   * @param widths of the table's UIDs
   * @param newNamesMax how many new names, of all kinds, may be assigned UIDs
   */
  public UidAssigner(UidTable table, UidWidths widths, long newNamesMax) {
    this.table = table;
    this.widths = widths;
    this.newNamesMax = newNamesMax;
  }

  @Override
  public OptionalLong find(UidKind kind, String name) throws IOException {
    long uid = table.find(kind, List.of(name))[0];
    return uid == UidTable.NONE ? OptionalLong.empty() : OptionalLong.of(uid);
  }

  /**
   * @throws NewNamesException before more new names than allowed are assigned UIDs
   */
  @Override
  public synchronized long[] findOrAssign(UidKind kind, List<String> names) throws IOException {
    Map<String, Long> known = new HashMap<>();
    List<String> distinct = List.copyOf(new LinkedHashSet<>(names));
    for (int from = 0; from < distinct.size(); from += BLOCK_MAX) {
      List<String> missing = distinct.subList(from, Math.min(distinct.size(), from + BLOCK_MAX));
      missing = findAll(kind, missing, known);
      newNames += missing.size();
      if (newNames > newNamesMax) {
        throw new NewNamesException(newNamesMax, kind, missing);
      }
      while (!missing.isEmpty()) {
        assign(kind, missing, known);
        missing = missing.stream().filter(name -> !known.containsKey(name)).toList();
      }
    }
    return names.stream().mapToLong(name -> Objects.requireNonNull(known.get(name))).toArray();
  }

  /** Puts the names that have a UID into {@code known}; returns the others. */
  @CanIgnoreReturnValue
  private List<String> findAll(UidKind kind, List<String> names, Map<String, Long> known)
      throws IOException {
    long[] found = table.find(kind, names);
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (found[i] == UidTable.NONE) {
        missing.add(names.get(i));
      } else {
        known.put(names.get(i), found[i]);
      }
    }
    return missing;
  }

  /** Assigns a block, one attempt; a name whose new UID is taken stays unknown. */
  private void assign(UidKind kind, List<String> names, Map<String, Long> known)
      throws IOException {
    long first = reserve(kind, names.size());
    long[] block = new long[names.size()];
    for (int i = 0; i < block.length; i++) {
      block[i] = first + i;
    }
    // A TSD with random UIDs may have taken some of these numbers without the counter.
    boolean[] ours = table.putNames(kind, block, names);
    List<String> ready = new ArrayList<>();
    for (int i = 0; i < block.length; i++) {
      if (ours[i]) {
        block[ready.size()] = block[i];
        ready.add(names.get(i));
      }
    }
    boolean[] won = table.putUids(kind, ready, block);
    List<String> lost = new ArrayList<>();
    for (int i = 0; i < ready.size(); i++) {
      if (won[i]) {
        known.put(ready.get(i), block[i]);
      } else {
        lost.add(ready.get(i));
      }
    }
    if (!lost.isEmpty()) {
      // Another loader or TSD has assigned these names meanwhile; our UIDs stay unused.
      findAll(kind, lost, known);
    }
  }

  /** Reserves a block and returns its first UID. Checks first, so that a refusal reserves none. */
  private long reserve(UidKind kind, int count) throws IOException {
    requireRoom(kind, table.lastReserved(kind), count);
    long last = table.reserve(kind, count);
    requireRoom(kind, last - count, count);
    return last - count + 1;
  }

  private void requireRoom(UidKind kind, long used, int count) throws IOException {
    int width = widths.of(kind);
    if (count > UidRows.maxUid(width) - used) {
      throw new IOException(
          String.format(
              "not enough UIDs left for %s: needed=%d, used=%d, max=%d, width=%d",
              kind.qualifier(), count, used, UidRows.maxUid(width), width));
    }
  }
}
