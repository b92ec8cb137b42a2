package io.packhorse.cluster.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigCheckTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("packhorse.root"), "cluster-config", "golden");

  @SuppressWarnings("NullAway.Init")
  private static ConfigCheck check;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeAll
  static void readClasses() throws IOException {
    check = ConfigCheck.ofClassPath();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference-worker", "reference-master", "lab-worker", "kerberos"})
  void renderedFilesHaveNoProblems(String shape) throws IOException {
    assertEquals(List.of(), check.problems(GOLDEN.resolve(shape).resolve("conf")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hbase-site.xml | hbase.wal.provider<  | hbase.wal.provder<  | no class of the products contains the name hbase.wal.provder",
        "hdfs-site.xml  | dfs.blocksize<       | dfs.block.size<     | dfs.block.size is deprecated",
        "hdfs-site.xml  | <value>8192<         | <value>many<        | a value of another kind than its default 4096: many",
        "core-site.xml  | <value>131072<       | <value>128 k<       | a value of another kind than its default 4096: 128 k",
        "hbase-site.xml | <value>0.2</value>   | <value>0.5</value>  | more than 0.8 of the heap: 0.9",
        "hbase-site.xml | hdfs://packhorse/    | hdfs://master01/    | hbase.rootdir is not on fs.defaultFS",
        "hbase-site.xml | <value>40000<        | <value>90000<       | exceeds maxSessionTimeout in zoo.cfg",
        "hbase-site.xml | master03:2181        | master04:2181       | differs from the members in zoo.cfg",
        "zoo.cfg        | dataLogDir=          | dataLogsDir=        | no class of the products contains the name dataLogsDir",
        "zoo.cfg        | server.3             | server.2            | differs from the members in zoo.cfg",
        "zoo.cfg        | tickTime=2000        | tickTime=two        | zoo.cfg: ",
        "opentsdb.conf  | tsd.network.port     | tsd.network.prot    | no class of the products contains the name tsd.network.prot",
        "opentsdb.conf  | master03:2181        | master04:2181       | zk_quorum differs from HBase's quorum",
        "master.jvm     | ExitOnOutOfMemory    | ExitOnOutOfMemry    | master.jvm: Unrecognized VM option",
      })
  void reportsAProblem(String file, String right, String wrong, String problem) throws IOException {
    assertReports(problem, "reference-master", file, right, wrong);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "core-site.xml  | <value>kerberos<       | <value>simple<         | is kerberos, Hadoop's is simple",
        "opentsdb.conf  | rpc.protection=auth    | rpc.protection=none    | hbase.rpc.protection differs from HBase's, privacy,auth",
        "opentsdb.conf  | authentication=kerber  | authentication=simple  | hbase.security.authentication differs from",
        "opentsdb.conf  | hbase.sasl.client      | hbase.sasl.klient      | no class of the products contains the name hbase.sasl.klientconfig",
        "ssl-server.xml | keystore.location<     | keystore.place<        | no class of the products contains the name ssl.server.keystore.place",
        "zoo.cfg        | removeRealm            | removeRelm             | no class of the products contains the name kerberos.removeRelmFromPrincipal",
      })
  void reportsAProblemWithSecurity(String file, String right, String wrong, String problem)
      throws IOException {
    assertReports(problem, "kerberos", file, right, wrong);
  }

  /** Replaces a part of a golden file by a wrong one. */
  private void assertReports(String problem, String shape, String file, String right, String wrong)
      throws IOException {
    copy(GOLDEN.resolve(shape).resolve("conf"));
    Path changed = folder.resolve(file);
    String text = Files.readString(changed);
    assertTrue(text.contains(right), right);
    Files.writeString(changed, text.replace(right, wrong));

    List<String> problems = check.problems(folder);

    assertTrue(problems.stream().anyMatch(p -> p.contains(problem)), problems::toString);
  }

  @Test
  void tlsNeedsItsFiles() throws IOException {
    copy(GOLDEN.resolve("kerberos").resolve("conf"));
    Files.delete(folder.resolve("ssl-client.xml"));

    assertEquals(List.of("ssl-client.xml: missing, but web pages use TLS"), check.problems(folder));
  }

  @Test
  void aDataNodeCannotLoseAllItsDisks() throws IOException {
    copy(GOLDEN.resolve("lab-worker").resolve("conf"));
    Path changed = folder.resolve("hdfs-site.xml");
    String name = "<name>dfs.datanode.failed.volumes.tolerated</name>\n    <value>";
    Files.writeString(changed, Files.readString(changed).replace(name + "0", name + "2"));

    assertEquals(
        List.of("hdfs-site.xml: a DataNode of 2 directories cannot tolerate 2 failed ones"),
        check.problems(folder));
  }

  @Test
  void aFolderWithoutFilesIsRefused() throws IOException {
    assertEquals(3, check.problems(folder).size());
  }

  @Test
  void namesComeFromTheClassesOfAllProducts() throws IOException {
    KnownNames names = KnownNames.ofClassPath();

    // Each is in no default file, but in a class.
    for (String name : List.of("hbase.wal.provider", "dataLogDir", "tsd.network.port")) {
      assertTrue(names.contains(name), name);
    }
    assertTrue(names.size() > 10_000, () -> "names=" + names.size());
  }

  private void copy(Path from) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName().toString()));
      }
    }
  }
}
