package net.opentsdb.tsd;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.core.QueryTimeout;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jspecify.annotations.NullMarked;

/**
 * Collects the bytes of an answer in blocks, whose memory counts in the query's account. Each new
 * block also checks the time limit of the query, so that an answer without end is given up.
 *
 * <p>For one thread at a time.
 */
@NullMarked
final class AnswerBuffer extends OutputStream {
  private static final int BLOCK_BYTES = 1 << 16;

  private final TSDB tsdb;
  private final TSQuery query;
  private final QueryMemory memory;
  private final List<byte[]> full = new ArrayList<>();
  private byte[] block = {};
  private int used;

  AnswerBuffer(TSDB tsdb, TSQuery query, QueryMemory memory) {
    this.tsdb = tsdb;
    this.query = query;
    this.memory = memory;
  }

  @Override
  public void write(int b) {
    if (used == block.length) {
      nextBlock();
    }
    block[used++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    int done = 0;
    while (done < count) {
      if (used == block.length) {
        nextBlock();
      }
      int part = Math.min(count - done, block.length - used);
      System.arraycopy(bytes, from + done, block, used, part);
      used += part;
      done += part;
    }
  }

  private void nextBlock() {
    QueryTimeout.check(tsdb, query);
    memory.addAnswer(BLOCK_BYTES);
    if (used > 0) {
      full.add(block);
    }
    block = new byte[BLOCK_BYTES];
    used = 0;
  }

  /** Everything written, not copied. */
  ChannelBuffer toChannelBuffer() {
    ChannelBuffer[] parts = new ChannelBuffer[full.size() + 1];
    for (int i = 0; i < full.size(); i++) {
      parts[i] = ChannelBuffers.wrappedBuffer(full.get(i));
    }
    parts[full.size()] = ChannelBuffers.wrappedBuffer(block, 0, used);
    return ChannelBuffers.wrappedBuffer(parts);
  }
}
