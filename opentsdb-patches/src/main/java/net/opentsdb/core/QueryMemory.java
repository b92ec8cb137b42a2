package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.utils.Config;
import org.hbase.async.KeyValue;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one query holds: its rows and the answer written so far.
 *
 * <p>All running queries share a limit, {@value #SETTING} percent of the maximum heap. A query that
 * would pass it fails with status 413 while there is still room for the others. Figures are
 * estimates: the bytes of a cell plus {@value #CELL_OVERHEAD} for its objects, and {@value
 * #ANSWER_COPIES} times the answer's bytes, since it is copied when it is compressed and sent;
 * where series are added up, an hour of each that is decoded; the points that an expression copies;
 * a KiB for each series that is looked up, or whose last point is.
 *
 * <p>Any thread. After {@link #close} every further request for memory fails, which ends work that
 * still runs for a query already answered.
 */
@NullMarked
public final class QueryMemory {
  static final String SETTING = "tsd.query.limits.heap_percent";
  static final int PERCENT = 50;
  static final int CELL_OVERHEAD = 160;
  static final int ANSWER_COPIES = 3;

  /** A point as an object, in a list and in an array. */
  static final int COPIED_POINT = 56;

  private static final AtomicLong USED = new AtomicLong();
  private static volatile long limit = limit(PERCENT);

  /** The account of the query that this thread works for, while its points are read. */
  private static final ThreadLocal<@Nullable QueryMemory> OF_THREAD = new ThreadLocal<>();

  private final AtomicLong held = new AtomicLong();
  private final AtomicLong decoded = new AtomicLong();
  private final List<Runnable> atEnd = new ArrayList<>();
  private volatile boolean closed;

  /** Reads the setting. */
  static void configure(Config config) {
    int percent = config.hasProperty(SETTING) ? config.getInt(SETTING) : PERCENT;
    if (percent < 1 || percent > 90) {
      throw new IllegalArgumentException(SETTING + " must be 1 to 90: " + percent);
    }
    limit = limit(percent);
  }

  private static long limit(int percent) {
    return Runtime.getRuntime().maxMemory() / 100 * percent;
  }

  /** Bytes that all running queries hold. */
  public static long used() {
    return USED.get();
  }

  /** Bytes that they may hold. */
  public static long limit() {
    return limit;
  }

  /**
   * Takes memory.
   *
   * @throws QueryException with status 413 if the running queries would hold too much, or if this
   *     one has been answered
   */
  public void add(long bytes) {
    if (closed) {
      throw new QueryException(
          HttpResponseStatus.REQUEST_TIMEOUT, "This query has already been answered");
    }
    long all = USED.addAndGet(bytes);
    held.addAndGet(bytes);
    if (closed) {
      release();
    }
    if (all > limit) {
      throw new QueryException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "This query needs more memory than there is for queries: it holds "
              + mebibytes(held.get())
              + " MiB, all running queries "
              + mebibytes(all)
              + " of "
              + mebibytes(limit)
              + " MiB. Ask for a shorter time range, fewer series or a longer downsample interval");
    }
  }

  /** Gives memory back. */
  private void giveBack(long bytes) {
    USED.addAndGet(-bytes);
    held.addAndGet(-bytes);
    if (closed) {
      release();
    }
  }

  /**
   * Takes memory for points that are decoded at the same time: as much as the largest group of the
   * query needs, since groups are read one after the other.
   */
  void addDecoded(long bytes) {
    long before = decoded.getAndAccumulate(bytes, Math::max);
    if (bytes > before) {
      add(bytes - before);
    }
  }

  /** The callback, the points that it reads counted here. */
  public <R, T> Callback<R, T> counting(Callback<R, T> callback) {
    return argument -> {
      QueryMemory outer = OF_THREAD.get();
      OF_THREAD.set(this);
      try {
        return callback.call(argument);
      } finally {
        OF_THREAD.set(outer);
      }
    };
  }

  /** The memory account of this thread's current query; null if the thread has no query. */
  static @Nullable QueryMemory ofThread() {
    return OF_THREAD.get();
  }

  /** As {@link #counting}, for this thread's query; without one, returns the callback unchanged. */
  public static <R, T> Callback<R, T> countingHere(Callback<R, T> callback) {
    QueryMemory memory = OF_THREAD.get();
    return memory == null ? callback : memory.counting(callback);
  }

  /**
   * A list for one thread at a time that takes memory for each element from the account of the
   * thread that makes it; without an account it counts nothing.
   *
   * @param bytesEach estimate of what an element keeps in memory
   */
  @SuppressWarnings("NonApiType") // as upstream's variables are
  public static <T> ArrayList<T> list(int bytesEach) {
    QueryMemory memory = OF_THREAD.get();
    return memory == null ? new ArrayList<>() : new CountedList<>(memory, bytesEach);
  }

  /** These points, which were copied for an expression, counted in the account of this thread. */
  public static DataPoint[] copied(DataPoint[] points) {
    QueryMemory memory = OF_THREAD.get();
    if (memory != null) {
      memory.add((long) COPIED_POINT * points.length);
    }
    return points;
  }

  private static final class CountedList<T> extends ArrayList<T> {
    private static final long serialVersionUID = 1;
    private final transient QueryMemory memory;
    private final int bytesEach;

    CountedList(QueryMemory memory, int bytesEach) {
      this.memory = memory;
      this.bytesEach = bytesEach;
    }

    @Override
    public boolean add(T element) {
      memory.add(bytesEach);
      return super.add(element);
    }
  }

  /** Takes memory for bytes of an answer. */
  public void addAnswer(int bytes) {
    add((long) ANSWER_COPIES * bytes);
  }

  /** Gives everything back. */
  public void close() {
    closed = true;
    release();
    List<Runnable> all;
    synchronized (atEnd) {
      all = List.copyOf(atEnd);
      atEnd.clear();
    }
    all.forEach(Runnable::run);
  }

  /** Runs it when the query has been answered, at once if it has been. */
  private void atEnd(Runnable task) {
    synchronized (atEnd) {
      if (!closed) {
        atEnd.add(task);
        return;
      }
    }
    task.run();
  }

  private void release() {
    USED.addAndGet(-held.getAndSet(0));
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }

  /**
   * A list of rows, for several threads, that takes memory for each row added; null counts none.
   */
  static Rows rows(@Nullable QueryMemory memory) {
    return new Rows(memory);
  }

  /** Rows of one scanner. */
  static final class Rows extends AbstractList<KeyValue> {
    private final @Nullable QueryMemory memory;
    private final List<KeyValue> rows = Collections.synchronizedList(new ArrayList<>());

    private Rows(@Nullable QueryMemory memory) {
      this.memory = memory;
    }

    /** Takes memory for what was made of rows; a negative number of bytes is given back. */
    void charge(long bytes) {
      if (memory != null) {
        if (bytes < 0) {
          memory.giveBack(-bytes);
        } else {
          memory.add(bytes);
        }
      }
    }

    /**
     * Runs it when the query has been answered: OpenTSDB keeps the last 256 queries, and what they
     * refer to, for its statistics.
     */
    void atEnd(Runnable task) {
      if (memory != null) {
        memory.atEnd(task);
      }
    }

    private static long bytes(KeyValue row) {
      return CELL_OVERHEAD + (long) row.key().length + row.qualifier().length + row.value().length;
    }

    @Override
    public boolean add(KeyValue row) {
      charge(bytes(row));
      return rows.add(row);
    }

    /** Empties the list; returns what was in it, whose memory is given back. */
    List<KeyValue> take() {
      List<KeyValue> taken;
      synchronized (rows) {
        taken = new ArrayList<>(rows);
        rows.clear();
      }
      charge(-taken.stream().mapToLong(Rows::bytes).sum());
      return taken;
    }

    @Override
    public KeyValue get(int index) {
      return rows.get(index);
    }

    @Override
    public int size() {
      return rows.size();
    }

    @Override
    public void clear() {
      rows.clear();
    }
  }
}
