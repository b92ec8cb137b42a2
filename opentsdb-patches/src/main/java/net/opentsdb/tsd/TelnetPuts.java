package net.opentsdb.tsd;

import java.util.ArrayDeque;
import java.util.Queue;
import net.opentsdb.core.NameLookup;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.LimitedLogger;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelLocal;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the telnet commands of each connection in order. A point whose names are known is
 * stored at once, on the connection's thread. While one waits, for a name or because too many
 * points wait for HBase, nothing more is read from its connection, so that the sender slows down;
 * what was read before waits behind it.
 *
 * <p>One instance for each TSD, any thread.
 */
@NullMarked
final class TelnetPuts {
  private static final Logger LOG = LimitedLogger.of(LoggerFactory.getLogger(TelnetPuts.class));

  private final ChannelLocal<Connection> connections = new ChannelLocal<>(true);

  /** Carries out a command now or, in order, later. */
  void execute(TSDB tsdb, TelnetRpc handler, Channel channel, String[] command) {
    Connection connection = connections.get(channel);
    if (connection == null) {
      if (!(handler instanceof PutDataPointRpc)) {
        handler.execute(tsdb, channel, command);
        return;
      }
      connection = new Connection(tsdb, channel);
      connections.set(channel, connection);
    }
    connection.accept(new Line(handler, command));
  }

  private record Line(TelnetRpc handler, String[] words) {
    /** Whether it stores a point; in read-only mode no command does. */
    boolean isPut() {
      return handler instanceof PutDataPointRpc;
    }
  }

  /** The lines of a connection: its I/O thread brings them, one thread at a time works on them. */
  private static final class Connection {
    private final TSDB tsdb;
    private final Channel channel;
    private final long inFlightMax;
    private final Queue<Line> waiting = new ArrayDeque<>();
    private final KnownWords known;

    /** Set by the thread that works; while it is not set, that is the I/O thread. */
    private volatile boolean paused;

    Connection(TSDB tsdb, Channel channel) {
      this.tsdb = tsdb;
      this.channel = channel;
      inFlightMax = PointsInFlight.limit(tsdb.getConfig());
      known = new KnownWords(tsdb.getConfig());
    }

    void accept(Line line) {
      if (paused) {
        synchronized (this) {
          if (paused) {
            waiting.add(line);
            return;
          }
        }
      }
      begin(line);
    }

    private synchronized void pause() {
      paused = true;
      channel.setReadable(false);
    }

    private synchronized @Nullable Line next() {
      Line line = waiting.poll();
      if (line == null) {
        paused = false;
        channel.setReadable(true);
      }
      return line;
    }

    /** Returns false if the line has to wait; another thread then goes on with it. */
    private boolean begin(Line line) {
      if (!line.isPut()) {
        carryOut(line);
        return true;
      }
      if (PointsInFlight.isFull(inFlightMax)) {
        pause();
        PointsInFlight.whenRoom(
            inFlightMax,
            () ->
                PutThreads.execute(
                    () -> {
                      if (begin(line)) {
                        goOn();
                      }
                    }));
        return false;
      }
      // The handlers of the others know where their names are; they may wait for them.
      boolean mayWait = !line.words()[0].equals("put");
      NameLookup names = mayWait ? new NameLookup(tsdb) : unknownNames(line.words());
      if (names == null || (mayWait && PutThreads.isCurrent())) {
        carryOut(line);
        return true;
      }
      pause();
      names.whenDone(failure -> PutThreads.execute(() -> resume(line, failure)));
      return false;
    }

    /**
     * The names of {@code put METRIC TIME VALUE TAG=VALUE...} that have to be looked up; null if
     * there are none.
     */
    private @Nullable NameLookup unknownNames(String[] words) {
      known.check();
      NameLookup names = null;
      if (words.length > 1 && !known.contains(words[1])) {
        names = new NameLookup(tsdb);
        names.addMetric(words[1]);
      }
      for (int i = 4; i < words.length; i++) {
        int equals = words[i].indexOf('=');
        if (equals > 0 && !known.contains(words[i])) {
          names = names == null ? new NameLookup(tsdb) : names;
          names.addTag(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
      }
      if (names == null || !names.allKnown()) {
        return names;
      }
      known.add(words[1]);
      for (int i = 4; i < words.length; i++) {
        known.add(words[i]);
      }
      return null;
    }

    private void resume(Line line, @Nullable Exception failure) {
      if (failure == null) {
        carryOut(line);
      } else {
        refuse(line.words()[0], failure);
      }
      goOn();
    }

    private void goOn() {
      for (Line line = next(); line != null; line = next()) {
        if (!begin(line)) {
          return;
        }
      }
    }

    private void carryOut(Line line) {
      String name = line.words()[0];
      try {
        line.handler().execute(tsdb, channel, line.words());
      } catch (RuntimeException e) {
        refuse(name, e);
      }
    }

    private void refuse(String name, Exception reason) {
      LOG.warn("{} failed", name, reason);
      if (channel.isConnected() && channel.isWritable()) {
        channel.write(name + ": " + StoreErrors.message(reason) + "\n");
      }
    }
  }
}
