package net.opentsdb.uid;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;

/**
 * Whether a name's UID is in the TSD's cache. Upstream offers only a look-up that makes several
 * objects and counts a hit: too much for each name of each point. Any thread.
 */
@NullMarked
public final class KnownNames {
  private static final MethodHandle CACHED = cached();
  private static final AtomicInteger FORGOTTEN = new AtomicInteger();

  private KnownNames() {}

  private static MethodHandle cached() {
    try {
      return MethodHandles.privateLookupIn(UniqueId.class, MethodHandles.lookup())
          .findVirtual(
              UniqueId.class, "getIdFromCache", MethodType.methodType(byte[].class, String.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("OpenTSDB's UID cache has changed", e);
    }
  }

  /** To be called when a cache has lost names. */
  static void forget() {
    FORGOTTEN.incrementAndGet();
  }

  /**
   * Changes each time that a cache has lost names, because it was dropped or a name renamed or
   * deleted; a cache of limited size ({@code tsd.uid.lru.enable}) loses them at any time.
   */
  public static int forgotten() {
    return FORGOTTEN.get();
  }

  /** Whether the UID of a name is in the cache of its table. */
  public static boolean contain(UniqueId table, String name) {
    try {
      return (byte[]) CACHED.invokeExact(table, name) != null;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
