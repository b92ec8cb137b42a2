package io.packhorse.loader.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PacedSinkTest {
  private static final long SECOND = 1_000_000_000;
  private final Time time = new Time();
  private final Gathering gathering = new Gathering();

  private static final class Time implements PacedSink.Clock {
    private long nanos = System.nanoTime();

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void sleep(long wait) {
      nanos += Math.max(0, wait);
    }
  }

  /** Acknowledges nothing until it is told to send. */
  private final class Gathering implements CellSink {
    private final List<Long> sentNanos = new ArrayList<>();
    private long gathered;
    private long acknowledged;

    @Override
    public void write(CellWrite cell) {
      gathered += cell.points();
    }

    @Override
    public void flush() {
      sendAll();
    }

    @Override
    public void sendAll() {
      sentNanos.add(time.nanos);
      acknowledged += gathered;
      gathered = 0;
    }

    @Override
    public long acknowledgedPoints() {
      return acknowledged;
    }

    @Override
    public void close() {}
  }

  private void write(PacedSink sink, int cells, int points) throws Exception {
    for (int i = 0; i < cells; i++) {
      sink.write(new CellWrite(new byte[9], CellForm.PACKED, new byte[3], new byte[9], points, 1));
    }
  }

  @Test
  void whatIsTakenIsStoredEverySecondAtALowPace() throws Exception {
    try (PacedSink sink = new PacedSink(gathering, new Pace(1000), time)) {
      long begun = time.nanos;
      write(sink, 3001, 10);
      assertEquals(30.0, (time.nanos - begun) / 1e9, 1.1);
      assertEquals(30, gathering.sentNanos.size(), 1);
      assertTrue(sink.acknowledgedPoints() >= 28_900, "behind: " + sink.acknowledgedPoints());
      for (int i = 1; i < gathering.sentNanos.size(); i++) {
        double apart = (gathering.sentNanos.get(i) - gathering.sentNanos.get(i - 1)) / 1e9;
        assertEquals(1.0, apart, 0.02);
      }
    }
  }

  @Test
  void aCellThatHasToWaitLongDoesNotHoldBackThoseBeforeIt() throws Exception {
    try (PacedSink sink = new PacedSink(gathering, new Pace(1), time)) {
      write(sink, 2, 3600);
      assertEquals(3600, sink.acknowledgedPoints());
    }
  }

  @Test
  void aPaceThatDoesNotLimitSendsNothingEarly() throws Exception {
    try (PacedSink sink = new PacedSink(gathering, new Pace(1e12), time)) {
      for (int i = 0; i < 100; i++) {
        write(sink, 10, 10);
        time.nanos += SECOND / 10;
      }
      assertEquals(List.of(), gathering.sentNanos);
    }
  }
}
