package io.packhorse.loader.point;

import java.util.Arrays;

/**
 * Numbers the series of one load from 0 in order of first sight, so that points carry an int.
 *
 * <p>Any number of threads. A table of its own: a million series take a third of the memory that a
 * map of boxed numbers does.
 */
public final class SeriesNames {
  private SeriesName[] names = new SeriesName[512];

  /** Numbers plus one, by hash; 0 where free. Open addressing, at most half full. */
  private int[] slots = new int[2 * names.length];

  private int size;

  /** The number of a series, given now if it is new. */
  public synchronized int intern(SeriesName name) {
    int slot = slotOf(name);
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    if (size == names.length) {
      grow();
      slot = slotOf(name);
    }
    names[size] = name;
    slots[slot] = ++size;
    return size - 1;
  }

  /** Where a name is, or would be. */
  private int slotOf(SeriesName name) {
    int mask = slots.length - 1;
    int hash = name.hashCode() * 0x9e3779b9;
    int slot = (hash ^ (hash >>> 16)) & mask;
    while (slots[slot] != 0 && !names[slots[slot] - 1].equals(name)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    names = Arrays.copyOf(names, 2 * size);
    slots = new int[2 * names.length];
    for (int id = 0; id < size; id++) {
      slots[slotOf(names[id])] = id + 1;
    }
  }

  /** The name of series {@code id}. */
  public synchronized SeriesName get(int id) {
    if (id >= size) {
      throw new IndexOutOfBoundsException("series must be below " + size + ": series=" + id);
    }
    return names[id];
  }

  /** Number of series seen. */
  public synchronized int size() {
    return size;
  }
}
