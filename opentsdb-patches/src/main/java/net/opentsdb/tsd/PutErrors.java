package net.opentsdb.tsd;

import java.util.ArrayList;
import java.util.Map;
import net.opentsdb.uid.FailedToAssignUniqueIdException;
import org.jspecify.annotations.NullMarked;

/**
 * The errors of a batch of points that its answer lists: the first {@value #LISTED_MAX}, and a last
 * entry saying that there are more. The counts in the answer cover all.
 *
 * <p>Any thread: storage reports errors on its own.
 */
@NullMarked
final class PutErrors extends ArrayList<Map<String, Object>> {
  static final int LISTED_MAX = 100;
  private static final long serialVersionUID = 1;

  /** What the answer says of an exception that stopped a point. */
  static String message(RuntimeException e) {
    if (e instanceof FailedToAssignUniqueIdException) {
      return String.valueOf(e.getMessage());
    }
    return StoreErrors.plain((Throwable) e) == e ? "Unexpected exception" : StoreErrors.message(e);
  }

  @Override
  public synchronized boolean add(Map<String, Object> error) {
    if (size() > LISTED_MAX) {
      return false;
    }
    return super.add(
        size() < LISTED_MAX
            ? error
            : Map.of("error", "Only the first " + LISTED_MAX + " errors are listed"));
  }
}
