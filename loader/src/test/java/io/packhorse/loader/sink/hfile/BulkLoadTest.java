package io.packhorse.loader.sink.hfile;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are gone from their folder: whether they were loaded shows in the table. */
final class BulkLoadTest {
  private static final int POINTS = 7;

  private final Queue<Object> answers = new ArrayDeque<>();

  /** What HBase's client throws in the end; it has tried often. */
  private static IOException givenUp(IOException last) {
    return new IOException("Failed after attempts=11", last);
  }

  private long run(Path folder) throws IOException {
    RegionFile file =
        new RegionFile(
            new org.apache.hadoop.fs.Path(folder.resolve("p/0-0").toUri()),
            1,
            Optional.empty(),
            POINTS,
            "a".getBytes(US_ASCII),
            "b".getBytes(US_ASCII),
            "q".getBytes(US_ASCII));
    Configuration conf = new Configuration(false);
    LocalFileSystem files = new LocalFileSystem();
    files.initialize(folder.toUri(), conf);
    return new BulkLoad(
            proxy(Connection.class, () -> proxy(Table.class, this::answer)),
            proxy(BulkLoadHFiles.class, this::closeTooLate),
            files,
            TableName.valueOf("tsdb"),
            ColumnFamilyDescriptorBuilder.of("p"))
        .run(List.of(file));
  }

  private interface Answer {
    Object get() throws IOException;
  }

  /** Every method but close gives the answer. */
  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> method.getName().equals("close") ? null : answer.get()));
  }

  /** HBase's client if its network threads end before it has closed its connection. */
  private Object closeTooLate() {
    throw new RejectedExecutionException("event executor terminated");
  }

  private Object answer() throws IOException {
    Object next = answers.remove();
    if (next instanceof IOException e) {
      throw e;
    }
    return next;
  }

  @Test
  void waitsForARegionThatIsNotServed(@TempDir Path folder) throws Exception {
    answers.add(givenUp(new NotServingRegionException("tsdb,b is not online")));
    answers.add(givenUp(new NotServingRegionException("tsdb,b is not online")));
    answers.add(true);
    assertEquals(POINTS, run(folder));
  }

  @Test
  void saysAtOnceThatAServerIsGone(@TempDir Path folder) {
    IOException gone = givenUp(new ConnectException("refused"));
    answers.add(gone);
    answers.add(true);
    assertSame(gone, assertThrows(IOException.class, () -> run(folder)));
  }

  @Test
  void saysThatARowIsNotThere(@TempDir Path folder) {
    answers.add(false);
    IOException missing = assertThrows(IOException.class, () -> run(folder));
    String said = String.valueOf(missing.getMessage());
    assertTrue(said.startsWith("row b cannot be read after the bulk load of "), said);
  }

  @Test
  void asksTheTableWhetherFilesWereLoadedBeforeTheConnectionFailedToClose(@TempDir Path folder)
      throws Exception {
    Files.createFile(Files.createDirectory(folder.resolve("p")).resolve("0-0"));
    answers.add(true);
    assertEquals(POINTS, run(folder));
    answers.add(false);
    assertThrows(IOException.class, () -> run(folder));
  }
}
