package io.packhorse.loader.job;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One loader's part of a job that several loaders work on, each in a process of its own, without
 * knowing of each other.
 *
 * @param number from 1 on
 * @param count of the loaders; 1 if the job is one loader's alone
 */
public record JobShard(int number, int count) {
  /** All of a job. */
  public static final JobShard WHOLE = new JobShard(1, 1);

  public JobShard {
    if (number < 1 || number > count) {
      throw new IllegalArgumentException("shard " + number + " of " + count);
    }
  }

  /** Whether the job has no other shards. */
  public boolean isWhole() {
    return count == 1;
  }

  /** The shard's own of all inputs: every {@code count}-th. */
  public <T> List<T> of(List<T> all) {
    return IntStream.range(0, all.size())
        .filter(i -> i % count == number - 1)
        .<T>mapToObj(all::get)
        .toList();
  }

  /** As users write it: {@code 2/4}. */
  @Override
  public String toString() {
    return number + "/" + count;
  }
}
