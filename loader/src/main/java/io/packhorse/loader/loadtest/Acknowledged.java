package io.packhorse.loader.loadtest;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/** Which batches a target has acknowledged, and since when. Any number of threads. */
final class Acknowledged {
  private static final long SAMPLE_NANOS = 50_000_000;

  private final BitSet ended = new BitSet();
  private final BitSet failed = new BitSet();
  private final Deque<Sample> samples = new ArrayDeque<>();

  /** Batches below this number have ended. */
  private int below;

  private int visible;

  private record Sample(long nanos, int below) {}

  /** A batch has ended. */
  synchronized void ended(int batch, boolean acknowledged) {
    ended.set(batch);
    failed.set(batch, !acknowledged);
    below = ended.nextClearBit(below);
    long now = System.nanoTime();
    if (samples.isEmpty() || now - samples.getLast().nanos() > SAMPLE_NANOS) {
      samples.add(new Sample(now, below));
    }
  }

  /** How many batches from the first on had ended so long ago. */
  synchronized int endedBefore(long nanos) {
    long then = System.nanoTime() - nanos;
    while (!samples.isEmpty() && samples.getFirst().nanos() <= then) {
      visible = samples.removeFirst().below();
    }
    return visible;
  }

  /** Whether a batch was acknowledged. */
  synchronized boolean isAcknowledged(int batch) {
    return ended.get(batch) && !failed.get(batch);
  }

  /** Whether all batches of a range were acknowledged. */
  synchronized boolean areAcknowledged(int from, int to) {
    int gap = ended.nextClearBit(from);
    int fault = failed.nextSetBit(from);
    return gap >= to && (fault < 0 || fault >= to);
  }
}
