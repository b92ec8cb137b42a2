package io.packhorse.schema.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.summary.SummaryClaim.Reason;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims, by which summaries say what they do not answer for. */
final class SummaryClaimTest {
  /** The example of docs/format.md: changing these bytes is a change of the format. */
  private static final String EXAMPLE = "01 77 88f21c f0f71c 01 03 000007 e2 46 fa 42";

  private static final SummaryClaim CLAIM =
      new SummaryClaim(Reason.WRITING, 1_704_067_200, 1_706_745_600, List.of(new byte[] {0, 0, 7}));

  @Test
  void exampleOfTheDocument() throws Exception {
    byte[] stored = CLAIM.encode();
    assertEquals(EXAMPLE.replace(" ", ""), HexFormat.of().formatHex(stored));
    SummaryClaim again = SummaryClaim.decode(stored);
    assertEquals(CLAIM.toString(), again.toString());
    assertTrue(again.has(new byte[] {0, 0, 7}));
    assertFalse(again.has(new byte[] {0, 0, 8}));
  }

  @Test
  void claimsOfAllHaveEachMetric() throws Exception {
    SummaryClaim again = SummaryClaim.decode(SummaryClaim.ofAll(Reason.DELETED).encode());
    assertTrue(again.has(new byte[] {9}));
    assertEquals(0, again.fromSeconds());
    assertEquals(RowKeyLayout.END_OF_TIME, again.toSeconds());
  }

  @Test
  void everyDamageIsNoticed() {
    byte[] stored = CLAIM.encode();
    for (int bit = 0; bit < stored.length * 8; bit++) {
      byte[] damaged = stored.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(MalformedCellException.class, () -> SummaryClaim.decode(damaged));
    }
    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThrows(MalformedCellException.class, () -> SummaryClaim.decode(cut));
    }
  }

  @Test
  void rejectsEmptyRanges() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new SummaryClaim(Reason.WRITING, 3600, 3600, List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SummaryClaim(Reason.WRITING, 0, RowKeyLayout.END_OF_TIME + 3600, List.of()));
  }
}
