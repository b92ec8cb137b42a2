package io.packhorse.loader.sink;

import java.util.Locale;

/** What makes Puts survive the death of a region server. */
public enum PutDurability {
  /** The write-ahead log, as the table says: a Put is in it when HBase answers. */
  SYNC,
  /** The write-ahead log a moment later: until the table is flushed, the newest may be lost. */
  ASYNC,
  /** No log: until the table is flushed, all may be lost. */
  SKIP;

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
