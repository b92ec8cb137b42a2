package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.opentsdb.uid.KnownNames;
import net.opentsdb.uid.NoSuchUniqueName;
import net.opentsdb.uid.UniqueId;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the names of points in the UID table without waiting for it, so that points are stored
 * when their names are in the TSD's cache: {@code addPoint} waits for a name on the thread that
 * calls it.
 *
 * <p>Names are added by one thread; answers come on threads of HBase's client.
 */
@NullMarked
public final class NameLookup {
  private final TSDB tsdb;

  /** Names that are not answered, and one more until {@link #whenDone}. */
  private final AtomicInteger open = new AtomicInteger(1);

  private volatile boolean missing;
  private volatile @Nullable Exception failure;
  private volatile @Nullable Consumer<@Nullable Exception> action;
  private final Callback<Object, Object> answer = this::answered;

  /** A look-up in the tables of this TSD. */
  public NameLookup(TSDB tsdb) {
    this.tsdb = tsdb;
  }

  /** Adds the names of a point; those that cannot be names are left to whoever stores it. */
  public void add(@Nullable String metric, @Nullable Map<String, String> tags) {
    addMetric(metric);
    if (tags != null) {
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        addTag(tag.getKey(), tag.getValue());
      }
    }
  }

  /** Adds the metric of a point. */
  public void addMetric(@Nullable String metric) {
    add(tsdb.metrics, metric);
  }

  /** Adds a tag of a point. */
  public void addTag(@Nullable String key, @Nullable String value) {
    add(tsdb.tag_names, key);
    add(tsdb.tag_values, value);
  }

  private void add(UniqueId table, @Nullable String name) {
    if (name != null && !name.isEmpty() && !KnownNames.contain(table, name)) {
      open.incrementAndGet();
      addBoth(table.getIdAsync(name));
    }
  }

  /** An errback gets what its callback's type does not say: an exception. */
  @SuppressWarnings("unchecked")
  private void addBoth(Deferred<?> uid) {
    ((Deferred<Object>) uid).addBoth(answer);
  }

  private Object answered(Object uid) {
    if (uid instanceof NoSuchUniqueName) {
      missing = true;
    } else if (uid instanceof Exception e) {
      failure = e;
    }
    end();
    return uid;
  }

  private void end() {
    if (open.decrementAndGet() == 0) {
      Consumer<@Nullable Exception> then = action;
      if (then != null) {
        then.accept(failure);
      }
    }
  }

  /** Whether all names were known; if not, {@link #whenDone} says when to go on. */
  public boolean allKnown() {
    return open.get() == 1 && !missing && failure == null;
  }

  /**
   * Calls back once all names are answered, perhaps at once on this thread. Names that do not exist
   * are no failure: storing the point creates or refuses them.
   *
   * @param then gets the failure of a look-up, or null
   */
  public void whenDone(Consumer<@Nullable Exception> then) {
    action = then;
    end();
  }
}
