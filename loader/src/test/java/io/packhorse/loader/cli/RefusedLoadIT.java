package io.packhorse.loader.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.packhorse.loader.store.EmbeddedStoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A load that is refused leaves no job, and its name can be used. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RefusedLoadIT {
  @TempDir private Path folder = Path.of("");

  private JsonNode run(ExitCode ended, String command, Object... options) throws Exception {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("--dir", EmbeddedStoreFixture.shared().store().root().toString()));
    all.addAll(List.of("--jobs-dir", folder.resolve("jobs").toString()));
    for (Object option : options) {
      all.add(option.toString());
    }
    return JsonEnvelope.run(ended, command, all.toArray(String[]::new));
  }

  @Test
  void itsNameIsFree() throws Exception {
    Path asked = Files.writeString(folder.resolve("asked.csv"), "time,s,v,v\n1700000000,a,1,2\n");
    Path good = Files.writeString(folder.resolve("good.csv"), "time,s,refused.v\n1700000000,a,1\n");
    run(ExitCode.USAGE, "load", "--job", "mine", asked);
    // This one has begun when it is refused.
    JsonNode begun =
        run(ExitCode.USAGE, "load", "--job", "mine", "--rejects", folder.resolve("no/r.tsv"), good);
    assertTrue(begun.toString().contains("Rejected lines cannot be written"), begun.toString());
    assertEquals(0, run(ExitCode.OK, "job list").at("/result/jobs").size());
    run(ExitCode.OK, "load", "--job", "mine", good);
    JsonNode jobs = run(ExitCode.OK, "job list").at("/result/jobs");
    assertEquals(1, jobs.size(), jobs.toString());
    assertEquals("loaded", jobs.at("/0/state").asText(), jobs.toString());
    // A name that a load has used is refused.
    run(ExitCode.PREFLIGHT, "load", "--job", "mine", "--allow-duplicate-input", good);
  }
}
