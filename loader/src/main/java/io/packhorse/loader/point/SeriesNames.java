package io.packhorse.loader.point;

import java.util.Arrays;
import java.util.concurrent.CancellationException;

/**
 * Numbers the series of one load from 0 in order of first appearance, so that points carry an int.
 *
 * <p>Any number of threads. An open hash table: a map of boxed numbers would take three times the
 * memory.
 */
public final class SeriesNames {
  private SeriesName[] names = new SeriesName[512];

  /** The hash of each name, compared before the name itself. */
  private int[] hashes = new int[names.length];

  /** Numbers plus one, by hash; 0 where free. Open addressing, at most half full. */
  private int[] slots = new int[2 * names.length];

  private int size;
  private boolean complete;

  /**
   * The number of a series, given now if it is new.
   *
   * @throws CancellationException for a new one after {@link #refuseMore}
   */
  public synchronized int intern(SeriesName name) {
    int hash = name.hashCode() * 0x9e3779b9;
    int slot = slotOf(hash);
    for (; slots[slot] != 0; slot = after(slot)) {
      int id = slots[slot] - 1;
      if (hashes[id] == hash && names[id].equals(name)) {
        return id;
      }
    }
    if (complete) {
      throw new CancellationException("the load has ended");
    }
    if (size == names.length) {
      grow();
      slot = freeSlotOf(hash);
    }
    names[size] = name;
    hashes[size] = hash;
    slots[slot] = ++size;
    return size - 1;
  }

  /**
   * Takes no new series from now on: threads that still parse end soon, and fill no more memory.
   */
  public synchronized void refuseMore() {
    complete = true;
  }

  private int slotOf(int hash) {
    return (hash ^ (hash >>> 16)) & (slots.length - 1);
  }

  private int after(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private int freeSlotOf(int hash) {
    int slot = slotOf(hash);
    while (slots[slot] != 0) {
      slot = after(slot);
    }
    return slot;
  }

  private void grow() {
    names = Arrays.copyOf(names, 2 * size);
    hashes = Arrays.copyOf(hashes, names.length);
    slots = new int[2 * names.length];
    for (int id = 0; id < size; id++) {
      slots[freeSlotOf(hashes[id])] = id + 1;
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
