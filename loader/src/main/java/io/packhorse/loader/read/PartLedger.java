package io.packhorse.loader.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A record of work over the rows of a table, in a folder of its own: the key ranges of each part,
 * written once, and which parts are complete, with their counts. So stopped work can be resumed,
 * even if regions have been split since. Any number of threads.
 *
 * <pre>
 *   plan   the version; what was asked for; a line of key ranges for each part
 *   done   the number of each complete part, then its counts
 * </pre>
 */
public final class PartLedger {
  private static final String VERSION = "packhorse parts 1";
  private static final HexFormat HEX = HexFormat.of();

  private final Path done;
  private final List<List<KeyRange>> parts;
  private final Map<Integer, long[]> complete = new TreeMap<>();

  /** The folder does not hold what was asked for; the message is a sentence without its end. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private RefusedException(String sentence) {
      super(sentence);
    }
  }

  private PartLedger(Path done, List<List<KeyRange>> parts) {
    this.done = done;
    this.parts = parts;
  }

  /**
   * Begins a ledger.
   *
   * @param folder of the ledger alone; made if it does not exist
   * @param settings what was asked for, on one line
   * @param parts row keys of each part, rising
   */
  public static PartLedger begin(Path folder, String settings, List<List<KeyRange>> parts)
      throws IOException {
    Files.createDirectories(folder);
    List<String> lines = new ArrayList<>(List.of(VERSION, settings));
    for (List<KeyRange> part : parts) {
      lines.add(
          part.stream()
              .map(range -> HEX.formatHex(range.start()) + "-" + HEX.formatHex(range.stop()))
              .collect(Collectors.joining(" ")));
    }
    Path partial = folder.resolve("plan.partial");
    Files.write(partial, lines);
    try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(partial, folder.resolve("plan"), StandardCopyOption.ATOMIC_MOVE);
    return new PartLedger(folder.resolve("done"), parts);
  }

  /** Whether a ledger was begun in a folder. */
  public static boolean exists(Path folder) {
    return Files.exists(folder.resolve("plan"));
  }

  /**
   * Goes on with a ledger.
   *
   * @throws RefusedException if there is none, or it is of something else
   */
  public static PartLedger resume(Path folder, String settings)
      throws IOException, RefusedException {
    Path plan = folder.resolve("plan");
    if (!Files.exists(plan)) {
      throw new RefusedException("there is nothing to go on with in " + folder.getParent());
    }
    List<String> lines = Files.readAllLines(plan);
    if (lines.size() < 2 || !lines.get(0).equals(VERSION)) {
      throw new RefusedException(plan + " was written by another version of Packhorse");
    }
    if (!lines.get(1).equals(settings)) {
      throw new RefusedException(
          "what was begun in " + folder.getParent() + " is " + lines.get(1) + ", not " + settings);
    }
    List<List<KeyRange>> parts = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      List<KeyRange> part = new ArrayList<>();
      for (String range : line.split(" ", -1)) {
        int dash = range.indexOf('-');
        part.add(
            new KeyRange(
                HEX.parseHex(range.substring(0, dash)), HEX.parseHex(range.substring(dash + 1))));
      }
      parts.add(part);
    }
    PartLedger ledger = new PartLedger(folder.resolve("done"), parts);
    ledger.readComplete();
    return ledger;
  }

  private void readComplete() throws IOException {
    if (!Files.exists(done)) {
      return;
    }
    String text = Files.readString(done);
    // A line without its end was being written when the work was stopped.
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      if (!line.isEmpty()) {
        long[] words = Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        complete.put((int) words[0], Arrays.copyOfRange(words, 1, words.length));
      }
    }
  }

  /** Row keys of each part. */
  public List<List<KeyRange>> parts() {
    return parts;
  }

  /** Whether a part is complete. */
  public synchronized boolean isComplete(int part) {
    return complete.containsKey(part);
  }

  /** Parts that are complete. */
  public synchronized int completeParts() {
    return complete.size();
  }

  /** Counts of each complete part; the arrays are new. */
  public synchronized List<long[]> counts() {
    return complete.values().stream().map(long[]::clone).toList();
  }

  /** Milliseconds since 1970 when the last part was complete; 0 if none is. */
  public long lastCompleteMs() throws IOException {
    return Files.exists(done) ? Files.getLastModifiedTime(done).toMillis() : 0;
  }

  /** Records that everything of a part is done and on disk. */
  public synchronized void complete(int part, long... counts) throws IOException {
    String line =
        LongStream.concat(LongStream.of(part), Arrays.stream(counts))
            .mapToObj(Long::toString)
            .collect(Collectors.joining(" "));
    try (FileChannel channel =
        FileChannel.open(
            done, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      // The line end before it closes a torn line of a process that was killed.
      channel.write(ByteBuffer.wrap(("\n" + line + "\n").getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    complete.put(part, counts.clone());
  }
}
