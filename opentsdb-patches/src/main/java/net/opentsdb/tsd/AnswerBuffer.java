package net.opentsdb.tsd;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import net.opentsdb.core.CallbackLoop;
import net.opentsdb.core.QueryMemory;
import net.opentsdb.core.QueryTimeout;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.VirtualMachineErrors;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of an answer in blocks. A short one is held until it is whole, so that an error
 * still gets a status of its own; when it grows longer than {@value #HELD_MAX} blocks it is sent as
 * it is made, see {@link AnswerStream}. The memory of the blocks held counts in the query's
 * account. Each new block also checks the time limit of the query, so that an answer without end is
 * given up.
 *
 * <p>For one thread at a time.
 */
@NullMarked
final class AnswerBuffer extends OutputStream {
  static final int BLOCK_BYTES = 1 << 16;
  static final int HELD_MAX = AnswerStream.WINDOW;

  private final TSDB tsdb;
  private final TSQuery query;
  private final QueryMemory memory;
  private final List<byte[]> full = new ArrayList<>();
  private byte[] block = {};
  private int used;

  /** Where a long answer goes; null if it is held whole. */
  private @Nullable AnswerStream stream;

  private boolean sending;

  /** For an answer that is held whole. */
  AnswerBuffer(TSDB tsdb, TSQuery query, QueryMemory memory) {
    this(tsdb, query, memory, null);
  }

  AnswerBuffer(TSDB tsdb, TSQuery query, QueryMemory memory, @Nullable AnswerStream stream) {
    this.tsdb = tsdb;
    this.query = query;
    this.memory = memory;
    this.stream = stream;
  }

  /** For the answer of a query, which is sent as it is made when it is long. */
  static AnswerBuffer of(
      HttpQuery request, TSQuery query, QueryMemory memory, AnsweredOnce answered) {
    return new AnswerBuffer(
        request.tsdb, query, memory, AnswerStream.of(request, query.getQueryStats(), answered));
  }

  /**
   * Makes the answer: runs the steps that write it one after the other, then the last one. An
   * answer that may be sent in parts is made on a thread of its own, which may wait for the client.
   * If no such thread is free, the whole answer is kept in memory and sent at the end.
   */
  <R> Deferred<R> format(
      Iterable<? extends Callback<Deferred<Object>, Object>> steps, Callback<R, Object> last) {
    if (stream != null) {
      Deferred<R> done = new Deferred<>();
      try {
        AnswerStream.THREADS.execute(
            () ->
                CallbackLoop.run(steps)
                    .addCallback(VirtualMachineErrors.asExceptions(last))
                    .addCallbacks(pass(done), failing(done)));
        return done;
      } catch (RejectedExecutionException e) {
        stream = null;
      }
    }
    return CallbackLoop.run(steps).addCallback(VirtualMachineErrors.asExceptions(last));
  }

  private static <R> Callback<@Nullable Object, R> pass(Deferred<R> to) {
    return result -> {
      to.callback(result);
      return null;
    };
  }

  private static <R> Callback<@Nullable Object, Exception> failing(Deferred<R> to) {
    return e -> {
      to.callback(e);
      return null;
    };
  }

  /**
   * Writes a series when its names are known: on the thread that makes the answer, as the one that
   * fetches names must not wait for clients.
   */
  <N> Deferred<Object> write(Deferred<N> names, Callback<Object, N> writer) throws Exception {
    Callback<Object, N> safe = VirtualMachineErrors.asExceptions(memory.counting(writer));
    return stream == null
        ? names.addCallback(safe)
        : Deferred.fromResult(safe.call(names.join(QueryTimeout.limitMs(tsdb))));
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
    AnswerStream to = stream;
    QueryTimeout.check(tsdb, query, to == null ? 0 : to.waitedMs());
    if (used > 0) {
      if (to != null && full.size() == HELD_MAX - 1 && !sending) {
        to.begin();
        sending = true;
        for (byte[] held : full) {
          to.send(ChannelBuffers.wrappedBuffer(held));
        }
        full.clear();
      }
      if (to != null && sending) {
        to.send(ChannelBuffers.wrappedBuffer(block));
      } else {
        full.add(block);
      }
    }
    if (!sending) {
      memory.addAnswer(BLOCK_BYTES);
    }
    block = new byte[BLOCK_BYTES];
    used = 0;
  }

  /** Everything written that has not been sent, not copied; an answer that is being sent ends. */
  ChannelBuffer toChannelBuffer() {
    if (stream != null && sending) {
      stream.send(ChannelBuffers.wrappedBuffer(block, 0, used));
      stream.end();
      return ChannelBuffers.EMPTY_BUFFER;
    }
    ChannelBuffer[] parts = new ChannelBuffer[full.size() + 1];
    for (int i = 0; i < full.size(); i++) {
      parts[i] = ChannelBuffers.wrappedBuffer(full.get(i));
    }
    parts[full.size()] = ChannelBuffers.wrappedBuffer(block, 0, used);
    return ChannelBuffers.wrappedBuffer(parts);
  }
}
