package io.packhorse.loader.repack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.read.BrokenColumn;
import io.packhorse.loader.read.RowPoints;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.read.StoredRow;
import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.CompactedCell;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.cell.Qualifier;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.key.Tsuid;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A row under a repack, in memory, with writers beside: its answer never changes. */
final class RepackRowsTest {
  private static final long STAMP = 1_000_000;
  private static final LoaderId LOADER = new LoaderId(1000, STAMP);
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));
  private static final byte[] KEY =
      LAYOUT.rowKey(Tsuid.of(UidWidths.DEFAULT, 1, 2, 3), 1_704_067_200);

  private final SplittableRandom random = new SplittableRandom(35);
  private final RepackCounts counts = new RepackCounts();
  private final List<BrokenColumn> left = new ArrayList<>();
  private final RowPacker packer = new RowPacker(LAYOUT, LOADER);

  /** The columns of the row, in no order. */
  private List<StoredColumn> columns = new ArrayList<>();

  @Test
  void theAnswerIsTheSameAtEveryMoment() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      columns = new ArrayList<>();
      for (int i = random.nextInt(1, 9); i > 0; i--) {
        write(column(random.nextLong(STAMP - 20, STAMP + 1), random.nextInt(1, 1000)));
      }
      Map<Integer, String> expected = answer();
      writeBeside(expected);
      assertEquals(expected, answer());
      pack(random.nextInt(4) == 0 ? 2 : 1);
      assertEquals(expected, answer());
      writeBeside(expected);
      assertEquals(expected, answer());
      if (random.nextBoolean()) {
        verify();
        assertEquals(expected, answer());
        writeBeside(expected);
        delete();
      } else {
        verifyAndDelete();
      }
      assertEquals(expected, answer());
      writeBeside(expected);
      delete();
      assertEquals(expected, answer());
      assertEquals(
          1,
          columns.stream().filter(column -> column.stampMs() <= STAMP).count(),
          "what is left of the old columns and the new cell");
    }
    assertTrue(left.isEmpty(), left.toString());
    assertTrue(counts.get(RepackCount.NEWER) > 0);
    assertTrue(counts.get(RepackCount.AS_BEFORE) > 0);
    assertTrue(counts.get(RepackCount.DELETED_CELLS) > 0);
    assertEquals(0, counts.get(RepackCount.CHANGED));
  }

  @Test
  void aRowThatHasChangedIsPackedAgain() throws Exception {
    write(plain(STAMP - 5, 1000, 1));
    write(plain(STAMP - 4, 2000, 2));
    pack(1);
    // Nobody should write with such an old timestamp, and yet the point counts.
    write(plain(STAMP - 3, 3000, 3));
    verify();
    assertEquals(1, counts.get(RepackCount.CHANGED));
    write(plain(STAMP - 2, 3000, 4));
    delete();
    assertEquals(1, left.size());
    assertEquals(0, counts.get(RepackCount.DELETED));
    assertEquals(4, columns.size());
  }

  @Test
  void inOneScanOnlyWhatComparesIsDeleted() throws Exception {
    write(plain(STAMP - 5, 1000, 1));
    write(plain(STAMP - 4, 2000, 2));
    pack(1);
    write(plain(STAMP - 3, 3000, 3));
    Map<Integer, String> expected = answer();
    verifyAndDelete();
    // Packed again and compared, but a query may have read its cells before.
    assertEquals(1, counts.get(RepackCount.CHANGED));
    assertEquals(1, counts.get(RepackCount.VERIFIED));
    assertEquals(0, counts.get(RepackCount.DELETED));
    assertEquals(4, columns.size());
    delete();
    assertEquals(3, counts.get(RepackCount.DELETED));
    assertEquals(1, columns.size());
    assertEquals(expected, answer());
    assertTrue(left.isEmpty(), left.toString());
  }

  @Test
  void aRowWithABrokenColumnStays() throws Exception {
    write(plain(STAMP - 5, 1000, 1));
    write(new StoredColumn(false, new byte[] {0, 0, 0, 0x10}, STAMP - 4, new byte[1]));
    pack(1);
    verify();
    delete();
    assertEquals(2, columns.size());
    assertEquals(1, left.size());
    assertEquals(1, counts.get(RepackCount.LEFT));
    assertEquals(0, counts.get(RepackCount.ROWS));
  }

  private void pack(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      new PackRows(packer, this::write, left::add, counts).row(row());
    }
  }

  private void verify() throws IOException {
    verify(Optional.empty());
  }

  private void verifyAndDelete() throws IOException {
    verify(Optional.of(this::delete));
  }

  private void verify(Optional<DeleteRows.Deletes> deletes) throws IOException {
    VerifyRows.Cells cells =
        new VerifyRows.Cells() {
          @Override
          public void write(CellWrite cell) {
            RepackRowsTest.this.write(cell);
          }

          @Override
          public void flush() {}
        };
    VerifyRows rows =
        new VerifyRows(LOADER, packer, cells, keys -> List.of(row()), deletes, counts);
    rows.row(row());
    rows.finish();
  }

  private void delete() throws IOException {
    new DeleteRows(LOADER, this::delete, left::add, counts).row(row());
  }

  private void delete(StoredRow row, List<StoredColumn> old) {
    assertEquals(row().columns(), row.columns());
    columns.removeIf(column -> old.stream().anyMatch(each -> same(each, column)));
  }

  /** Some points that are newer than the repack, by a TSD or another loader. */
  private void writeBeside(Map<Integer, String> expected) throws Exception {
    if (random.nextInt(3) > 0) {
      return;
    }
    long newest = columns.stream().mapToLong(StoredColumn::stampMs).max().orElse(STAMP);
    long stamp = Math.max(newest, STAMP) + 1;
    // A loader id of its own: a second cell of one loader would take the place of the first.
    StoredColumn column = column(stamp, LOADER.id() + (int) (stamp - STAMP));
    write(column);
    expected.putAll(answer(List.of(column)));
  }

  private void write(CellWrite cell) {
    write(new StoredColumn(true, cell.qualifier(), cell.stampMs(), cell.value()));
  }

  /** As HBase: of equal columns the newest timestamp is read. */
  private void write(StoredColumn column) {
    boolean hidden =
        columns.stream()
            .anyMatch(each -> isOneColumn(each, column) && each.stampMs() > column.stampMs());
    if (!hidden) {
      columns.removeIf(each -> isOneColumn(each, column));
      columns.add(column);
    }
  }

  private static boolean isOneColumn(StoredColumn a, StoredColumn b) {
    return a.packed() == b.packed() && Arrays.equals(a.qualifier(), b.qualifier());
  }

  private static boolean same(StoredColumn a, StoredColumn b) {
    return isOneColumn(a, b) && a.stampMs() == b.stampMs();
  }

  private StoredRow row() {
    List<StoredColumn> sorted = new ArrayList<>(columns);
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.qualifier(), b.qualifier()));
    return new StoredRow(KEY, sorted);
  }

  private Map<Integer, String> answer() throws MalformedCellException {
    return answer(row().columns());
  }

  private static Map<Integer, String> answer(List<StoredColumn> of) throws MalformedCellException {
    PointBlock points = new RowPoints().of(new StoredRow(KEY, of));
    Map<Integer, String> answer = new TreeMap<>();
    for (int i = 0; i < points.count(); i++) {
      answer.put(points.offsetsMs()[i], points.values()[i] + " " + points.isDouble()[i]);
    }
    return answer;
  }

  private StoredColumn column(long stamp, int loader) {
    PointBlock points = new PointBlock();
    int offset = random.nextInt(20);
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      if (random.nextBoolean()) {
        points.addLong(offset * 1000, random.nextInt(100));
      } else {
        points.addDouble(offset * 1000 + 7, Double.doubleToRawLongBits(random.nextDouble()));
      }
      offset += random.nextInt(1, 4);
    }
    return switch (random.nextInt(3)) {
      case 0 -> {
        byte[] cell = new PackedCellEncoder().encode(points);
        yield new StoredColumn(true, new PackedQualifier(loader, 0).toBytes(), stamp, cell);
      }
      case 1 -> {
        ByteWriter qualifier = new ByteWriter(0);
        ByteWriter value = new ByteWriter(0);
        CompactedCell.encode(points, qualifier, value);
        yield new StoredColumn(false, qualifier.toByteArray(), stamp, value.toByteArray());
      }
      default -> plain(stamp, points.offsetsMs()[0] / 1000 * 1000, random.nextInt(100));
    };
  }

  private static StoredColumn plain(long stamp, int offsetMs, long value) {
    return new StoredColumn(
        false,
        new Qualifier(offsetMs, false, false, 8).toBytes(),
        stamp,
        ByteBuffer.allocate(8).putLong(value).array());
  }
}
