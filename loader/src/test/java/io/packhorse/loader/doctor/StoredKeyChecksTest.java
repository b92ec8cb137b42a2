package io.packhorse.loader.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.uid.UidKind;
import io.packhorse.schema.uid.UidWidths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StoredKeyChecksTest {
  private static final RowKeyLayout WRITTEN =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  @Test
  void acceptsTheLayoutThatRowsWereWrittenWith() throws Exception {
    Finding finding = StoredKeyChecks.rows("tsdb", rows(), WRITTEN);
    assertEquals(Verdict.OK, finding.verdict());
    assertEquals("20 stored rows have the salt and UID widths of this load", finding.found());
  }

  @Test
  void failsOtherBucketsOtherWidthsAndNoSalt() throws Exception {
    fails(new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 5)));
    fails(new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(2, 4)));
    fails(new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE));
    fails(new RowKeyLayout(new UidWidths(4, 3, 3), new SaltFunction(1, 4)));
    fails(new RowKeyLayout(new UidWidths(3, 3, 4), new SaltFunction(1, 4)));
  }

  @Test
  void ignoresGlobalAnnotationsWhichHaveNoSalt() {
    List<byte[]> salted = List.of(new byte[] {0, 0, 0, 0, 0x50, 0x5e, 0, 0});
    assertEquals("no rows yet", StoredKeyChecks.rows("tsdb", salted, WRITTEN).found());
    RowKeyLayout noSalt = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
    List<byte[]> plain = List.of(new byte[] {0, 0, 0, 0x50, 0x5e, 0, 0});
    assertEquals("no rows yet", StoredKeyChecks.rows("tsdb", plain, noSalt).found());
  }

  @Test
  void comparesWidthsOfStoredUids() {
    assertEquals(
        Verdict.OK, StoredKeyChecks.uids("tsdb-uid", Map.of(UidKind.TAGV, 3), WRITTEN).verdict());
    Finding other = StoredKeyChecks.uids("tsdb-uid", Map.of(UidKind.TAGV, 4), WRITTEN);
    assertEquals(Verdict.FAIL, other.verdict());
    assertEquals("UIDs of tagv have 4 bytes, not 3", other.found());
  }

  private static void fails(RowKeyLayout layout) throws Exception {
    Finding finding = StoredKeyChecks.rows("tsdb", rows(), layout);
    assertEquals(Verdict.FAIL, finding.verdict(), layout.toString());
    assertTrue(finding.found().contains("of 20 stored rows"), finding.found());
  }

  private static List<byte[]> rows() throws MalformedCellException {
    List<byte[]> keys = new ArrayList<>();
    for (byte series = 1; series <= 20; series++) {
      Tsuid tsuid = Tsuid.parse(UidWidths.DEFAULT, new byte[] {0, 0, 1, 0, 0, 1, 0, 0, series});
      keys.add(WRITTEN.rowKey(tsuid, 1_704_067_200));
    }
    return keys;
  }
}
