package io.packhorse.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class EmbeddedOptionsTest {
  @Test
  void parsesAllArguments() {
    EmbeddedOptions options = parse("--parent", "77");
    assertTrue(options.dir().isAbsolute());
    assertEquals(1, options.zookeeperPort());
    assertEquals(2, options.masterPort());
    assertEquals(65_535, options.regionServerPort());
    assertEquals(OptionalLong.of(77), options.parent());
  }

  @Test
  void parentIsOptional() {
    assertEquals(OptionalLong.empty(), parse().parent());
  }

  @Test
  void rejectsMissingUnknownAndValuelessArguments() {
    assertMessage("--dir is missing");
    assertMessage("--dir needs a value", "--dir");
    assertMessage(
        "--master-port must be a port, 1 to 65535: 0",
        "--dir",
        "d",
        "--zookeeper-port",
        "1",
        "--master-port",
        "0");
    String unknown =
        assertThrows(IllegalArgumentException.class, () -> parse("--speed", "9")).getMessage();
    assertEquals("unknown arguments: [--speed]", unknown);
  }

  @Test
  void describesTheProcessAsTheLoaderReadsIt() {
    ProcessHandle self = ProcessHandle.current();
    assertEquals(
        "hbase.pid="
            + self.pid()
            + "\nhbase.started="
            + self.info().startInstant().orElseThrow().toEpochMilli()
            + "\nmaster.port=2\nregionserver.port=65535\nzookeeper.port=1\n",
        parse().describe(self));
  }

  private static void assertMessage(String expected, String... args) {
    assertEquals(
        expected,
        assertThrows(IllegalArgumentException.class, () -> EmbeddedOptions.parse(args))
            .getMessage());
  }

  private static EmbeddedOptions parse(String... more) {
    String[] all = new String[8 + more.length];
    String[] given = {
      "--dir",
      "store",
      "--zookeeper-port",
      "1",
      "--master-port",
      "2",
      "--region-server-port",
      "65535"
    };
    System.arraycopy(given, 0, all, 0, given.length);
    System.arraycopy(more, 0, all, given.length, more.length);
    return EmbeddedOptions.parse(all);
  }
}
