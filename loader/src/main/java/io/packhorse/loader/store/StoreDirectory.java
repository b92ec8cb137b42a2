package io.packhorse.loader.store;

import java.io.IOException;
import java.io.StringReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an embedded store.
 *
 * <pre>
 *   store.properties       layout number; marks the directory as a store
 *   hbase/ zookeeper/      data
 *   tsd/ stock-tsd/ tmp/   can be deleted while no server runs
 *   hfiles/                HFiles of loads until they are bulk-loaded
 *   jobs/                  a folder for each load job
 *   run/                   state of the servers, locks
 *   log/                   logs of each server, of limited size
 * </pre>
 *
 * @param root absolute path; exists
 */
public record StoreDirectory(Path root) {
  /** The layout written and read by this version. */
  static final int LAYOUT = 1;

  /** Free space below which nothing is started: 1 GB. */
  static final long FREE_BYTES_MIN = 1_000_000_000;

  private static final String MARKER = "store.properties";

  /** Beginning of its name while it is written. */
  private static final String NEW_MARKER = ".store.properties-";

  /** Whether a path holds a store of any layout. */
  public static boolean isStore(Path path) {
    return Files.isRegularFile(path.resolve(MARKER));
  }

  /**
   * Opens a store; makes one if the directory is missing or empty.
   *
   * @throws StoreException if the directory holds something else, or a store of another layout
   */
  public static StoreDirectory open(Path path) throws StoreException, IOException {
    Path root = path.toAbsolutePath().normalize();
    Path marker = root.resolve(MARKER);
    if (root.toString().indexOf('%') >= 0) {
      throw StoreException.refused(
          "HBase does not work with a percent sign in the path: "
              + root
              + "; choose another directory with --dir");
    }
    if (Files.exists(marker)) {
      Properties properties = new Properties();
      properties.load(new StringReader(Files.readString(marker)));
      checkLayout(root, properties.getProperty("layout", ""));
    } else {
      if (Files.exists(root) && !isEmpty(root)) {
        throw StoreException.refused(
            root + " is not empty and not a Packhorse store; choose another directory with --dir");
      }
      try {
        Files.createDirectories(root);
        makeMarker(root);
      } catch (IOException e) {
        throw StoreException.refused(
            "cannot write to " + root + " (" + e.getMessage() + "); choose another with --dir");
      }
    }
    for (String part : new String[] {"run", "log"}) {
      Files.createDirectories(root.resolve(part));
    }
    return new StoreDirectory(root);
  }

  /** Whole or not at all: another command may be opening the same new store. */
  private static void makeMarker(Path root) throws IOException {
    Path unfinished = root.resolve(NEW_MARKER + UUID.randomUUID());
    Files.writeString(
        unfinished,
        "# This directory is a Packhorse store; packhorse server start --dir serves it.\n"
            + ("layout=" + LAYOUT + "\n"));
    Files.move(unfinished, root.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Whether nothing is in it but what another command has, that is making the store too. */
  private static boolean isEmpty(Path root) throws StoreException, IOException {
    if (!Files.isDirectory(root)) {
      throw StoreException.refused(root + " is a file; give a directory with --dir");
    }
    try (Stream<Path> entries = Files.list(root)) {
      return entries.allMatch(entry -> String.valueOf(entry.getFileName()).startsWith(NEW_MARKER))
          || isStore(root);
    }
  }

  private static void checkLayout(Path root, String found) throws StoreException {
    int layout = found.matches("[0-9]{1,9}") ? Integer.parseInt(found) : 0;
    if (layout == LAYOUT) {
      return;
    }
    throw StoreException.refused(
        root
            + " has store layout "
            + found
            + ", this Packhorse reads layout "
            + LAYOUT
            + (layout > LAYOUT
                ? "; use the newer Packhorse that wrote it"
                : "; load again into a new directory, or use the older Packhorse that wrote it"));
  }

  /** HBase's files. */
  public Path hbase() {
    return root.resolve("hbase");
  }

  /**
   * Bytes of HBase's files, including the write-ahead log. Files deleted meanwhile are not counted.
   */
  public long hbaseBytes() throws IOException {
    return bytesUnder(hbase());
  }

  /** Bytes of the files of a table, without what HBase has not flushed yet. */
  public long tableBytes(String table) throws IOException {
    return bytesUnder(hbase().resolve("data").resolve("default").resolve(table));
  }

  private static long bytesUnder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    FileSizes sizes = new FileSizes();
    Files.walkFileTree(folder, sizes);
    return sizes.bytes();
  }

  /** Where loads write HFiles; made by the first of them. */
  public Path hfiles() {
    return root.resolve("hfiles");
  }

  /** Where job folders are; made by the first job. */
  public Path jobs() {
    return root.resolve("jobs");
  }

  /** Bytes that can still be written to the store's disk. */
  public long freeBytes() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  /** The folder of all logs. */
  public Path log() {
    return root.resolve("log");
  }

  Path log(String name) {
    return log().resolve(name + ".log");
  }

  /** Standard output and error of a server since its last start; mostly empty. */
  Path output(String name) {
    return log().resolve(name + ".out");
  }

  Path hbaseStatus() {
    return root.resolve("run").resolve("hbase.status");
  }

  /** The configuration of a TSD; written when that TSD is started. */
  public Path tsdConfig(TsdKind kind) {
    return root.resolve(kind.id()).resolve("opentsdb.conf");
  }

  private Path stateFile() {
    return root.resolve("run").resolve("server.properties");
  }

  /** What a running HBase says of itself. */
  private Path hbaseFile() {
    return root.resolve("run").resolve("hbase.properties");
  }

  /** The state saved last, and an HBase whose command was killed before it saved it. */
  ServerState state() throws IOException {
    ServerState saved = ServerState.read(stateFile());
    ServerState hbase = ServerState.read(hbaseFile());
    return hbase.process(ServerState.HBASE).isAlive() ? saved.with(hbase) : saved;
  }

  void save(ServerState state) throws IOException {
    state.write(stateFile());
  }

  /**
   * Checks that enough disk space is free.
   *
   * @throws StoreException below {@link #FREE_BYTES_MIN}
   */
  void checkFreeSpace() throws StoreException, IOException {
    checkFreeSpace(freeBytes());
  }

  void checkFreeSpace(long freeBytes) throws StoreException {
    if (freeBytes < FREE_BYTES_MIN) {
      throw StoreException.refused(
          "only "
              + freeBytes / 1_000_000
              + " MB are free for "
              + root
              + ", at least "
              + FREE_BYTES_MIN / 1_000_000
              + " MB are needed; free some space, or choose another disk with --dir");
    }
  }

  /** What a command does while it holds the command lock. */
  interface Action<T> {
    T run() throws StoreException, IOException, InterruptedException;
  }

  /**
   * Runs an action while no other command starts or stops servers of this store.
   *
   * @throws StoreException if another command holds the lock for longer than {@code waitMax}
   */
  <T> T withCommandLock(Duration waitMax, Action<T> action)
      throws StoreException, IOException, InterruptedException {
    long deadline = System.nanoTime() + waitMax.toNanos();
    try (FileChannel channel = commandLock()) {
      while (tryLock(channel) == null) {
        if (System.nanoTime() > deadline) {
          throw StoreException.refused(
              "another packhorse command is starting or stopping the store in "
                  + root
                  + "; wait for it to end");
        }
        Thread.sleep(50);
      }
      return action.run();
    }
  }

  private FileChannel commandLock() throws StoreException {
    Path file = root.resolve("run").resolve("command.lock");
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw StoreException.refused(
          "cannot write to "
              + file
              + "; start and stop the store as the user who owns it, or choose another store with"
              + " --dir");
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldByThisProcess) {
      return null;
    }
  }
}
