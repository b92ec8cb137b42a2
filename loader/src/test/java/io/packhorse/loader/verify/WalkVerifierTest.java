package io.packhorse.loader.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.pack.HourPacker;
import io.packhorse.loader.pack.PackerContext;
import io.packhorse.loader.pack.SealPolicy;
import io.packhorse.loader.point.PointBatch;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.read.CellRows;
import io.packhorse.loader.read.RowSource;
import io.packhorse.loader.read.StoredColumn;
import io.packhorse.loader.resolve.MemoryUidStore;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.source.generated.GeneratedSource;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.key.RowKeyLayout;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import io.packhorse.schema.uid.UidWidths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WalkVerifierTest {
  private static final ExecutorService THREADS = Executors.newFixedThreadPool(2);
  private static final WalkSpec SPEC = new WalkSpec("walk", 5, 60_000, 1_704_067_200, 150, 3);
  private static final RowKeyLayout LAYOUT =
      new RowKeyLayout(UidWidths.DEFAULT, new SaltFunction(1, 4));

  private final MemoryUidStore uids = new MemoryUidStore();
  private CellRows table = new CellRows(LAYOUT);

  @BeforeEach
  void load() throws Exception {
    table = CellRows.of(LAYOUT, cells(SPEC, CellForm.PACKED));
  }

  @AfterAll
  static void stopThreads() {
    THREADS.shutdownNow();
  }

  @Test
  void passesOnWhatWasLoaded() throws Exception {
    WalkVerifier verifier = new WalkVerifier(SPEC, LAYOUT, table, uids);
    VerifyReport report = verifier.verify(THREADS);
    assertTrue(report.passed(), report.toString());
    assertEquals(750, report.expectedPoints());
    assertEquals(750, report.equalPoints());
    assertEquals(15, report.rows());
    assertEquals(15, report.columns());
    assertEquals(List.of(), report.differences());
    assertEquals(750, verifier.checkedPoints());
  }

  @Test
  void passesOnCompactedCellsAndWithoutSalt() throws Exception {
    RowKeyLayout unsalted = new RowKeyLayout(UidWidths.DEFAULT, SaltFunction.NONE);
    CellRows rows = CellRows.of(unsalted, cells(SPEC, CellForm.COMPACTED, unsalted));
    assertTrue(new WalkVerifier(SPEC, unsalted, rows, uids).verify(THREADS).passed());
  }

  @Test
  void passesOnAnEarlierPartOfTheStoredTime() throws Exception {
    WalkSpec first = new WalkSpec("walk", 5, 60_000, SPEC.startSeconds(), 60, 3);
    assertTrue(new WalkVerifier(first, LAYOUT, table, uids).verify(THREADS).passed());
  }

  @Test
  void passesOnAWorkloadLoadedTwice() throws Exception {
    for (CellWrite cell : cells(SPEC, CellForm.COMPACTED)) {
      table.add(cell.rowKey(), new StoredColumn(false, cell.qualifier(), 1, cell.value()));
    }
    VerifyReport report = verify();
    assertTrue(report.passed(), report.toString());
    assertEquals(30, report.columns());
  }

  @Test
  void findsAMissingRow() throws Exception {
    table.remove(row(2, 1));
    VerifyReport report = failed();
    assertEquals(60, report.missingPoints());
    assertEquals(690, report.equalPoints());
    assertEquals(14, report.rows());
    mentions(report, "walk{sensor=s002} at " + SPEC.baseSeconds(1), "60 points missing");
  }

  @Test
  void findsMissingPoints() throws Exception {
    change(3, 2, block -> without(block, 0, 7, 8, 29));
    VerifyReport report = failed();
    assertEquals(4, report.missingPoints());
    assertEquals(746, report.equalPoints());
    mentions(report, "sensor=s003", "missing, from point 0", "2 points missing, from point 7");
  }

  @Test
  void findsAWrongValue() throws Exception {
    change(
        0,
        0,
        block -> {
          block.values()[5]++;
          return block;
        });
    VerifyReport report = failed();
    assertEquals(1, report.wrongPoints());
    assertEquals(749, report.equalPoints());
    mentions(report, "+300000 ms: expected", "sensor=s000");
  }

  @Test
  void findsAWrongKind() throws Exception {
    change(
        0,
        0,
        block -> {
          PointBlock other = new PointBlock();
          for (int i = 0; i < block.count(); i++) {
            other.add(block.offsetsMs()[i], block.values()[i], i == 5);
          }
          return other;
        });
    VerifyReport report = failed();
    assertEquals(1, report.wrongPoints());
    mentions(report, "found a double");
  }

  @Test
  void findsExtraPointsBetweenAndAfterTheRightOnes() throws Exception {
    change(
        1,
        2,
        block -> {
          PointBlock more = new PointBlock();
          more.addLong(0, block.values()[0]);
          more.addLong(1, 99);
          for (int i = 1; i < block.count(); i++) {
            more.addLong(block.offsetsMs()[i], block.values()[i]);
          }
          more.addLong(30 * 60_000, 99);
          return more;
        });
    VerifyReport report = failed();
    assertEquals(2, report.extraPoints());
    assertEquals(750, report.equalPoints());
    mentions(report, "unexpected point at +1 ms", "unexpected point at +1800000 ms");
  }

  @Test
  void findsASeriesThatIsNotPartOfTheWorkload() throws Exception {
    WalkSpec fewer = new WalkSpec("walk", 4, 60_000, SPEC.startSeconds(), 150, 3);
    VerifyReport report = new WalkVerifier(fewer, LAYOUT, table, uids).verify(THREADS);
    assertFalse(report.passed());
    assertEquals(150, report.extraPoints());
    assertEquals(600, report.equalPoints());
    mentions(report, "is not part of the reference walk");
  }

  @Test
  void findsACellThatDoesNotDecode() throws Exception {
    StoredColumn column = table.remove(row(4, 0)).get(0);
    table.add(row(4, 0), new StoredColumn(true, column.qualifier(), 9, cut(column.value())));
    VerifyReport report = failed();
    assertEquals(60, report.missingPoints());
    mentions(report, "cell ends too early", "offset=", "no readable row");
  }

  @Test
  void findsACellThatDoesNotDecodeInASeriesThatIsNotPartOfTheWorkload() throws Exception {
    WalkSpec wide = new WalkSpec("walk", 6, 60_000, SPEC.startSeconds(), 150, 3);
    for (CellWrite cell : cells(wide, CellForm.PACKED)) {
      if (cells(SPEC, CellForm.PACKED).stream()
          .noneMatch(c -> java.util.Arrays.equals(c.rowKey(), cell.rowKey()))) {
        table.add(cell.rowKey(), new StoredColumn(true, cell.qualifier(), 9, cut(cell.value())));
      }
    }
    VerifyReport report = failed();
    assertEquals(750, report.equalPoints());
    assertEquals(0, report.extraPoints() + report.missingPoints() + report.wrongPoints());
  }

  @Test
  void findsAMalformedRowKey() throws Exception {
    byte[] key = LAYOUT.scanStart(0, 1, SPEC.startSeconds());
    table.add(key, new StoredColumn(true, new PackedQualifier(1, 0).toBytes(), 9, new byte[1]));
    mentions(failed(), "row key must hold a series");
  }

  @Test
  void findsNothingWhereNothingWasLoaded() throws Exception {
    WalkSpec other = new WalkSpec("never", 2, 60_000, SPEC.startSeconds(), 10, 3);
    VerifyReport report = new WalkVerifier(other, LAYOUT, table, uids).verify(THREADS);
    assertFalse(report.passed());
    assertEquals(20, report.missingPoints());
    mentions(report, "metric 'never' has no UID");
  }

  @Test
  void anotherSeedIsAnotherWorkload() throws Exception {
    WalkSpec other = new WalkSpec("walk", 5, 60_000, SPEC.startSeconds(), 150, 4);
    VerifyReport report = new WalkVerifier(other, LAYOUT, table, uids).verify(THREADS);
    assertFalse(report.passed());
    assertTrue(report.wrongPoints() > 740);
    assertEquals(10, report.differences().size(), "only the first few are told");
  }

  @Test
  void aStoreThatFailsIsAnError() {
    IOException failure = new IOException("gone");
    RowSource failing =
        (bucket, metric, from, to, visitor) -> {
          throw failure;
        };
    WalkVerifier verifier = new WalkVerifier(SPEC, LAYOUT, failing, uids);
    assertSame(failure, assertThrows(IOException.class, () -> verifier.verify(THREADS)));
  }

  private VerifyReport verify() throws IOException, InterruptedException {
    return new WalkVerifier(SPEC, LAYOUT, table, uids).verify(THREADS);
  }

  private VerifyReport failed() throws IOException, InterruptedException {
    VerifyReport report = verify();
    assertFalse(report.passed(), report.toString());
    return report;
  }

  private static void mentions(VerifyReport report, String... words) {
    String all = String.join("\n", report.differences());
    for (String word : words) {
      assertTrue(all.contains(word), word + " in " + all);
    }
  }

  private interface Change {
    PointBlock of(PointBlock block);
  }

  private void change(int series, int hour, Change change) throws Exception {
    StoredColumn column = table.remove(row(series, hour)).get(0);
    PointBlock block = new PointBlock();
    new PackedCellDecoder().decode(column.value(), block);
    table.add(
        row(series, hour),
        new StoredColumn(
            true,
            column.qualifier(),
            column.stampMs(),
            new PackedCellEncoder().encode(change.of(block))));
  }

  private static PointBlock without(PointBlock block, Integer... indexes) {
    PointBlock fewer = new PointBlock();
    for (int i = 0; i < block.count(); i++) {
      if (!List.of(indexes).contains(i)) {
        fewer.addLong(block.offsetsMs()[i], block.values()[i]);
      }
    }
    return fewer;
  }

  private static byte[] cut(byte[] value) {
    return java.util.Arrays.copyOf(value, value.length - 1);
  }

  private byte[] row(int series, int hour) throws IOException {
    return LAYOUT.rowKey(resolved(SPEC).tsuid(series), SPEC.baseSeconds(hour));
  }

  private SeriesResolver resolved(WalkSpec spec) throws IOException {
    SeriesNames names = new SeriesNames();
    for (int series = 0; series < spec.sensors(); series++) {
      names.intern(spec.seriesName(series));
    }
    SeriesResolver resolver = new SeriesResolver(uids, LAYOUT.widths());
    resolver.resolveAll(names);
    return resolver;
  }

  private List<CellWrite> cells(WalkSpec spec, CellForm form) throws Exception {
    return cells(spec, form, LAYOUT);
  }

  private List<CellWrite> cells(WalkSpec spec, CellForm form, RowKeyLayout layout)
      throws Exception {
    List<CellWrite> cells = new ArrayList<>();
    PackerContext outside =
        new PackerContext() {
          @Override
          public LoaderId newLoaderId() {
            return new LoaderId(1, 5);
          }

          @Override
          public void write(CellWrite cell) {
            cells.add(cell);
          }

          @Override
          public Path newHourFile() {
            throw new AssertionError("memory is not short");
          }
        };
    HourPacker packer =
        new HourPacker(form, layout, resolved(spec)::tsuid, SealPolicy.IN_ORDER, outside);
    GeneratedSource source = new GeneratedSource(spec, 0, 1);
    for (PointBatch batch = source.next(); batch != null; batch = source.next()) {
      packer.accept(batch);
    }
    packer.finish();
    return cells;
  }
}
