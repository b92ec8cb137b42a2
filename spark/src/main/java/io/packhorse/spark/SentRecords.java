package io.packhorse.spark;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * Many records of one width on their way to the tasks, in blocks of a few MiB. An executor fetches
 * the blocks that its tasks ask for, and Spark keeps them on disk where memory is short. Each task
 * has an instance of its own; one thread.
 */
final class SentRecords implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int BLOCK_BYTES = 4 << 20;

  private final ArrayList<Broadcast<byte[]>> blocks = new ArrayList<>();
  private final int width;
  private final int recordsOfBlock;
  private transient int lastBlock;
  private transient byte @Nullable [] last;

  /** Where records come from. */
  interface Source {
    /**
     * Writes a record.
     *
     * @param index from 0, rising by one from call to call
     * @param to at the record's first byte
     */
    void put(long index, ByteBuffer to);
  }

  private SentRecords(int width) {
    this.width = width;
    this.recordsOfBlock = Math.max(1, BLOCK_BYTES / width);
  }

  /**
   * Sends records.
   *
   * @param width of each, bytes
   * @param count how many there are
   */
  static SentRecords of(JavaSparkContext spark, int width, long count, Source source) {
    SentRecords sent = new SentRecords(width);
    for (long from = 0; from < count; from += sent.recordsOfBlock) {
      int records = (int) Math.min(sent.recordsOfBlock, count - from);
      ByteBuffer block = ByteBuffer.allocate(records * width);
      for (int record = 0; record < records; record++) {
        source.put(from + record, block.position(record * width));
      }
      sent.blocks.add(spark.broadcast(block.array()));
    }
    return sent;
  }

  /** The record of an index, from its first byte on. */
  ByteBuffer get(long index) {
    int number = (int) (index / recordsOfBlock);
    byte[] block = last;
    if (block == null || number != lastBlock) {
      block = blocks.get(number).value();
      last = block;
      lastBlock = number;
    }
    return ByteBuffer.wrap(block, (int) (index % recordsOfBlock) * width, width);
  }

  /** Frees what the executors hold of it. */
  void destroy() {
    blocks.forEach(Broadcast::destroy);
  }
}
