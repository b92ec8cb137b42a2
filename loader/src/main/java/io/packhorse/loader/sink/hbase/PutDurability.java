package io.packhorse.loader.sink.hbase;

import java.util.Locale;
import org.apache.hadoop.hbase.client.Durability;

/** What makes Puts last when a region server dies. */
public enum PutDurability {
  /** The write-ahead log, as the table says: when a Put is answered, it is there. */
  SYNC(Durability.USE_DEFAULT),
  /**
   * The write-ahead log a moment later, so that before a {@link TableFlush} the last may be lost.
   */
  ASYNC(Durability.ASYNC_WAL),
  /** A {@link TableFlush} alone. */
  SKIP(Durability.SKIP_WAL);

  private final Durability durability;

  PutDurability(Durability durability) {
    this.durability = durability;
  }

  Durability ofPut() {
    return durability;
  }

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
