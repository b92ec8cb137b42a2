package io.packhorse.loader.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.pipeline.LoadCounts;
import io.packhorse.loader.source.SourcePosition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
  private static final List<LedgerRecord> RECORDS =
      List.of(
          new LedgerRecord.Loader(7, 1_700_000_000_123L),
          new LedgerRecord.Checkpoint(
              0,
              new SourcePosition(1, 1L << 40, 12),
              new LoadCounts(10, 6, 1, 6, 2, 200, 150),
              Map.of("value is not a number", 3L),
              99,
              12,
              -1,
              List.of(new LedgerRecord.Hours("hours-2", -5), new LedgerRecord.Hours("hours-9", 7))),
          new LedgerRecord.Reached(
              JobState.LOADED, new LoadCounts(10, 9, 1, 9, 2, 200, 150), Map.of("é", 1L)));

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path job;

  @Test
  void givesBackWhatWasAppended() throws Exception {
    assertEquals(new Ledger.Content(List.of(), 0, 0), Ledger.read(job));
    append(RECORDS);
    Ledger.Content content = Ledger.read(job);
    assertEquals(RECORDS, content.records());
    assertEquals(0, content.tornBytes());
    append(RECORDS);
    assertEquals(6, Ledger.read(job).records().size());
  }

  @Test
  void aTornRecordIsCutOffWhereverItIsTorn() throws Exception {
    append(RECORDS);
    byte[] whole = Files.readAllBytes(job.resolve(Ledger.FILE));
    int ended = 0;
    int before = 0;
    for (int length = 0; length <= whole.length; length++) {
      Files.write(job.resolve(Ledger.FILE), Arrays.copyOf(whole, length));
      if (length > 0 && whole[length - 1] == '\n') {
        ended++;
        before = length;
      }
      Ledger.Content content = Ledger.read(job);
      assertEquals(RECORDS.subList(0, ended), content.records());
      assertEquals(before, content.bytes());
      assertEquals(length - before, content.tornBytes());
      append(RECORDS.subList(0, 1));
      content = Ledger.read(job);
      assertEquals(ended + 1, content.records().size(), "appended behind what is whole");
      assertEquals(0, content.tornBytes());
    }
    assertEquals(3, ended);
  }

  @Test
  void damageBeforeTheLastRecordIsNotGuessedAt() throws Exception {
    append(RECORDS);
    byte[] whole = Files.readAllBytes(job.resolve(Ledger.FILE));
    int last = whole.length - 1;
    while (whole[last - 1] != '\n') {
      last--;
    }
    for (int i = 0; i < last - 1; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 4;
      Files.write(job.resolve(Ledger.FILE), damaged);
      JobException thrown = assertThrows(JobException.class, () -> Ledger.read(job));
      assertTrue(String.valueOf(thrown.getMessage()).contains("is damaged"), thrown.getMessage());
    }
  }

  private void append(List<LedgerRecord> records) throws Exception {
    try (Ledger ledger = Ledger.open(job, Ledger.read(job))) {
      for (LedgerRecord record : records) {
        ledger.append(record);
      }
    }
  }
}
