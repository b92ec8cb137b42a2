package net.opentsdb.core;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.Iterator;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps one after the other, each when the Deferred of the one before is done.
 *
 * <p>A chain of callbacks on one Deferred does the same, but holds 16,383 of them at most and needs
 * a deeper stack with each. Steps that are done at once are run in a loop here. One instance for
 * each run; a step runs on the thread that ended the one before.
 */
@NullMarked
public final class CallbackLoop {
  private final Iterator<? extends Callback<Deferred<Object>, Object>> steps;
  private final Deferred<Object> done = new Deferred<>();

  private CallbackLoop(Iterator<? extends Callback<Deferred<Object>, Object>> steps) {
    this.steps = steps;
  }

  /**
   * Runs the steps.
   *
   * @param steps called with no argument that means anything
   * @return completes with null after the last step, or with the first exception
   */
  public static Deferred<Object> run(Iterable<? extends Callback<Deferred<Object>, Object>> steps) {
    CallbackLoop loop = new CallbackLoop(steps.iterator());
    loop.proceed();
    return loop.done;
  }

  private void proceed() {
    while (true) {
      Step step = new Step();
      try {
        if (!steps.hasNext()) {
          break;
        }
        steps.next().call(step).addCallbacks(step, step.failure());
      } catch (VirtualMachineError e) {
        done.callback(VirtualMachineErrors.toException(e));
        return;
      } catch (Exception e) {
        done.callback(e);
        return;
      }
      if (!step.isDone()) {
        return;
      }
    }
    done.callback(null);
  }

  /** The end of one step: at once, and the loop continues, or later, and a new loop starts. */
  private final class Step implements Callback<@Nullable Object, @Nullable Object> {
    private boolean ended;
    private boolean awaited;

    @Override
    public @Nullable Object call(@Nullable Object result) {
      synchronized (this) {
        ended = true;
        if (!awaited) {
          return null;
        }
      }
      proceed();
      return null;
    }

    /** Whether the step has ended; if not, its end continues the run. */
    synchronized boolean isDone() {
      awaited = true;
      return ended;
    }

    Callback<@Nullable Object, Exception> failure() {
      return e -> {
        done.callback(e);
        return null;
      };
    }
  }
}
