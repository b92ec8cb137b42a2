package io.packhorse.loader.receive;

import io.packhorse.loader.receive.Intake.Taken;
import io.packhorse.loader.receive.RefusedBodyException.Why;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The intake that takes bodies now. A receiver that begins its next job replaces it; clients do not
 * notice. Any number of threads.
 */
public final class CurrentIntake {
  private volatile Intake current;
  private long pointsBefore;
  private long rejectedBefore;

  /**
   * @param first stays the caller's, as all that follow
   */
  public CurrentIntake(Intake first) {
    current = first;
  }

  /**
   * As {@link Intake#take}. While the intake is being replaced it waits for the next one.
   *
   * @throws RefusedBodyException if nothing of the body was taken
   */
  public Taken take(ReceivedBody body) throws RefusedBodyException {
    while (true) {
      Intake to = current;
      try {
        return to.take(body);
      } catch (RefusedBodyException e) {
        if (e.why() != Why.ENDED || !isReplaced(to)) {
          throw e;
        }
      }
    }
  }

  private synchronized boolean isReplaced(Intake intake) {
    return current != intake;
  }

  /** As {@link Intake#whenDurable}, for all bodies that were taken so far. */
  public void whenDurable(Consumer<@Nullable IOException> then) {
    current.whenDurable(then);
  }

  /**
   * Ends the current intake; another one takes the bodies that follow. All that the ended one has
   * taken is on disk before: an answer waits for the log of the current intake only.
   *
   * @throws IOException if the log of the current intake cannot be brought to disk: then it is not
   *     replaced, and takes no more bodies
   */
  public synchronized void replaceBy(Intake next) throws IOException, InterruptedException {
    Intake before = current;
    before.end();
    before.awaitDurable();
    pointsBefore += before.points();
    rejectedBefore += before.rejected();
    current = next;
  }

  /** Takes no more bodies. */
  public synchronized void end() {
    current.end();
  }

  /** Points taken, by earlier intakes too. */
  public synchronized long points() {
    return pointsBefore + current.points();
  }

  /** Records and fields rejected, by earlier intakes too. */
  public synchronized long rejected() {
    return rejectedBefore + current.rejected();
  }

  /** Bytes of the log of the current intake. */
  public long logBytes() {
    return current.logBytes();
  }
}
