package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.LoadOutput;
import io.packhorse.loader.sink.PutDurability;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class LoadOptionsTest {
  @Command
  private static final class Load {
    @Mixin private final LoadOptions options = new LoadOptions();
  }

  @Test
  void aRateIsForPuts() {
    assertEquals(new LoadOutput.Puts(PutDurability.SYNC, 0), parsed().output());
    assertEquals(new LoadOutput.Puts(PutDurability.SYNC, 1000), parsed("--rate", "1000").output());
    assertEquals(SinkKind.PUTS, parsed("--rate", "1000").sink());
    assertThrows(ParameterException.class, () -> parsed("--rate", "-1").sink());
    assertThrows(ParameterException.class, () -> parsed("--rate", "1000", "--sink", "null").sink());
  }

  @Test
  void durabilityIsForPuts() {
    assertEquals(
        new LoadOutput.Puts(PutDurability.SKIP, 0), parsed("--durability", "skip").output());
    assertEquals(SinkKind.PUTS, parsed("--durability", "async").sink());
    assertThrows(ParameterException.class, () -> parsed("--durability", "none"));
    assertThrows(
        ParameterException.class, () -> parsed("--durability", "skip", "--sink", "hfiles").sink());
  }

  @Test
  void seriesAreWrittenToMetaUnlessToldOtherwise() {
    assertTrue(parsed().seriesMeta());
    assertTrue(parsed("--meta").seriesMeta());
    assertFalse(parsed("--no-meta").seriesMeta());
  }

  @Test
  void aShardIsOneOfAsManyAsAreNamed() {
    assertEquals(JobShard.WHOLE, parsed().job().shard());
    assertEquals(new JobShard(2, 4), parsed("--job", "a", "--shard", "2/4").job().shard());
    for (String wrong : List.of("0/4", "5/4", "4", "a/b", "1/0", "-1/4", "1/4/2")) {
      assertThrows(ParameterException.class, () -> parsed("--shard", wrong), wrong);
    }
  }

  @Test
  void theNameOfAJobIsThatOfAFolder() {
    Instant now = Instant.now();
    assertEquals("a.b-C_9", parsed("--job", "a.b-C_9").job().id(now));
    for (String wrong : List.of("", ".", "..", "a/b", "-a", "ä", "a".repeat(65))) {
      assertThrows(ParameterException.class, () -> parsed("--job", wrong).job().id(now), wrong);
    }
    assertThrows(ParameterException.class, () -> parsed("--shard", "1/2").job().id(now));
  }

  @Test
  void aStageIsAPlaceForPackedHFilesOnly() {
    assertEquals(Optional.empty(), parsed().stage());
    assertEquals(
        Optional.of(URI.create("file:///a%20b/c")),
        parsed("--sink", "hfiles", "--stage", "/a b/x/../c/").stage());
    assertEquals(
        Optional.of(URI.create("hdfs://ns/a/b")),
        parsed("--sink", "hfiles", "--stage", "hdfs://ns/a/b/").stage());
    assertThrows(ParameterException.class, () -> parsed("--stage", "/a").stage());
    assertThrows(ParameterException.class, () -> parsed("--stage", "hdfs://a b"));
    assertThrows(
        ParameterException.class,
        () -> parsed("--sink", "hfiles", "--cells", "compacted", "--stage", "/a").stage());
  }

  @Test
  void packsByAThreadACoreUnlessToldOtherwise() {
    assertEquals(Runtime.getRuntime().availableProcessors(), parsed().threads());
    assertEquals(3, parsed("--threads", "3").threads());
    assertThrows(ParameterException.class, () -> parsed("--threads", "257").threads());
  }

  private static LoadOptions parsed(String... arguments) {
    return CommandLine.populateCommand(new Load(), arguments).options;
  }
}
