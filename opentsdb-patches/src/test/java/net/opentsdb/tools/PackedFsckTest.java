package net.opentsdb.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.opentsdb.core.LastPoints;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

final class PackedFsckTest {
  private final PackedFsck fsck = new PackedFsck(LastPoints.tsdb());

  @Test
  void countsCellsAndPointsOfAllPieces() {
    KeyValue packed = LastPoints.packed().get(0);
    byte[] key = fsck.verify(List.of(packed, LastPoints.plain()), null);
    assertArrayEquals(packed.key(), key);
    assertArrayEquals(packed.key(), fsck.verify(List.of(LastPoints.plain()), key));
    assertCounted("Rows With Packed Cells: 1");
    assertCounted("Packed Cells: 1");
    assertCounted("Datapoints In Packed Cells: 2");
    assertCounted("Datapoints Beside Packed Cells: 2");
    assertEquals(0, fsck.errors());
  }

  @Test
  void leavesOtherRowsToFsck() {
    assertNull(fsck.verify(List.of(LastPoints.plain()), null));
    assertCounted("Rows With Packed Cells: 0");
  }

  @Test
  void reportsDamage() {
    KeyValue damaged = LastPoints.damaged();
    assertArrayEquals(damaged.key(), fsck.verify(List.of(damaged, LastPoints.plain()), null));
    assertCounted("Damaged Packed Cells: 1");
    assertEquals(1, fsck.errors());
  }

  @Test
  void aWorkerThatGaveUpIsAnError() {
    fsck.stopped();
    assertEquals(1, fsck.errors());
  }

  @Test
  void recognisesGlobalAnnotations() {
    byte[] key = {0, 0, 0, 80, -30, 39, 0};
    KeyValue note =
        new KeyValue(key, new byte[] {'t'}, new byte[] {1, 0, 0}, new byte[] {'{', '}'});
    KeyValue other = new KeyValue(key, new byte[] {'t'}, new byte[] {0, 0}, new byte[] {4});
    byte[] metric = {0, 0, 1, 80, -30, 39, 0};
    assertTrue(PackedFsck.isGlobalAnnotation(List.of(note)));
    assertFalse(PackedFsck.isGlobalAnnotation(List.of(note, other)));
    assertFalse(PackedFsck.isGlobalAnnotation(List.of(LastPoints.plain())));
    assertFalse(
        PackedFsck.isGlobalAnnotation(
            List.of(new KeyValue(metric, note.family(), note.qualifier(), note.value()))));
  }

  private void assertCounted(String line) {
    assertTrue(fsck.counts().contains(line), fsck.counts().toString());
  }
}
