package io.packhorse.loader.export;

import io.packhorse.loader.read.KeyRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;

/**
 * What is on record of an export, in a folder {@code .packhorse-export} beside its files: which
 * rows each part has, written once, and which parts are complete. So an export that was stopped can
 * go on, whatever regions were split meanwhile. Any number of threads.
 */
public final class ExportLedger {
  private static final String FOLDER = ".packhorse-export";
  private static final String VERSION = "packhorse export 1";
  private static final HexFormat HEX = HexFormat.of();

  private final Path done;
  private final List<List<KeyRange>> parts;
  private final BitSet complete = new BitSet();

  /** The folder does not hold what was asked for; the message is a sentence without its end. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private RefusedException(String sentence) {
      super(sentence);
    }
  }

  private ExportLedger(Path done, List<List<KeyRange>> parts) {
    this.done = done;
    this.parts = parts;
  }

  /**
   * Begins a ledger.
   *
   * @param directory of the export's files
   * @param settings what was asked for, on one line
   * @param parts row keys of each part, rising
   */
  public static ExportLedger begin(Path directory, String settings, List<List<KeyRange>> parts)
      throws IOException {
    Path folder = Files.createDirectory(directory.resolve(FOLDER));
    List<String> lines = new ArrayList<>(List.of(VERSION, settings));
    for (List<KeyRange> part : parts) {
      lines.add(
          String.join(
              " ",
              part.stream()
                  .map(range -> HEX.formatHex(range.start()) + "-" + HEX.formatHex(range.stop()))
                  .toList()));
    }
    Path plan = folder.resolve("plan");
    Path partial = folder.resolve("plan.partial");
    Files.write(partial, lines);
    CompleteFile.of(partial, plan);
    return new ExportLedger(folder.resolve("done"), parts);
  }

  /**
   * Goes on with a ledger.
   *
   * @throws RefusedException if there is none, or it is of an export of something else
   */
  public static ExportLedger resume(Path directory, String settings)
      throws IOException, RefusedException {
    Path folder = directory.resolve(FOLDER);
    Path plan = folder.resolve("plan");
    if (!Files.exists(plan)) {
      throw new RefusedException(directory + " has no export to go on with");
    }
    List<String> lines = Files.readAllLines(plan);
    if (lines.size() < 2 || !lines.get(0).equals(VERSION)) {
      throw new RefusedException(plan + " was written by another version of Packhorse");
    }
    if (!lines.get(1).equals(settings)) {
      throw new RefusedException(
          "the export in " + directory + " is of " + lines.get(1) + ", and not of " + settings);
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
    ExportLedger ledger = new ExportLedger(folder.resolve("done"), parts);
    if (Files.exists(ledger.done)) {
      String text = Files.readString(ledger.done);
      // A line without its end was being written when the export was stopped.
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .filter(line -> !line.isEmpty())
          .forEach(line -> ledger.complete.set(Integer.parseInt(line)));
    }
    return ledger;
  }

  /** Row keys of each part. */
  public List<List<KeyRange>> parts() {
    return parts;
  }

  /** Whether a part is complete. */
  public synchronized boolean isComplete(int part) {
    return complete.get(part);
  }

  /** Parts that are complete. */
  public synchronized int completeParts() {
    return complete.cardinality();
  }

  /** Records that the files of a part are complete and on disk. */
  public synchronized void complete(int part) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            done, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      // The line end before it closes a torn line of an export that was killed.
      channel.write(ByteBuffer.wrap(("\n" + part + "\n").getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    complete.set(part);
  }
}
