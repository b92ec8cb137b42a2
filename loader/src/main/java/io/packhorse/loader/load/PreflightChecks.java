package io.packhorse.loader.load;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.ClusterChecks;
import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.StoredKeyChecks;
import io.packhorse.loader.doctor.SummaryChecks;
import io.packhorse.loader.doctor.TableChecks;
import io.packhorse.loader.doctor.TsdChecks;
import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.hbase.Bigtable;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.query.TsdState;
import io.packhorse.loader.summary.hbase.HBaseClaims;
import io.packhorse.loader.summary.hbase.StoredClaim;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.hbase.CodecProbe;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.loader.table.hbase.StoredKeys;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
import io.packhorse.loader.uidstore.hbase.HBaseSeriesIndex;
import io.packhorse.schema.summary.SummaryTable;
import io.packhorse.schema.table.FamilySpec;
import io.packhorse.schema.table.StoreTables;
import io.packhorse.schema.table.TableSpec;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Checks a store and its TSDs before a load, and collects findings. What cannot be checked is a
 * finding too.
 */
public final class PreflightChecks {
  private static final String INDEX = "index";
  private static final String SUMMARIES = "summaries";

  private final StoreConnection store;
  private final CellForm form;
  private final int tagsMax;
  private final HBaseTables hbase;
  private final boolean bigtable;
  private final Map<String, FoundTable> tables = new LinkedHashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param form of the cells that are to be loaded
   * @param tagsMax most tags of a loaded series
   */
  public PreflightChecks(StoreConnection store, CellForm form, int tagsMax) {
    this.store = store;
    this.form = form;
    this.tagsMax = tagsMax;
    this.hbase = new HBaseTables(store.cluster().connection());
    this.bigtable = Bigtable.is(store.cluster().connection());
  }

  /** One check. */
  private interface Check {
    void run() throws IOException;
  }

  /** Runs a check; whether it could be run. */
  @CanIgnoreReturnValue
  private boolean check(String name, String where, Check check) {
    try {
      check.run();
      return true;
    } catch (IOException e) {
      findings.add(
          Finding.fail(name, where, "cannot be checked: " + Causes.sentence(e), "see HBase's log"));
      return false;
    }
  }

  public List<Finding> findings() {
    return findings;
  }

  public void add(List<Finding> more) {
    findings.addAll(more);
  }

  /**
   * Stops the operation if a check has failed.
   *
   * @throws OperationException REFUSED
   */
  public static void refuse(List<Finding> findings) {
    String failed =
        findings.stream()
            .filter(finding -> finding.verdict() == Verdict.FAIL)
            .map(Finding::sentence)
            .collect(Collectors.joining(".\n           "));
    if (!failed.isEmpty()) {
      throw new OperationException(
          OperationException.Kind.REFUSED, "Refused before anything was written: " + failed + ".");
    }
  }

  /** How many UIDs are left, if the table of UIDs is there. */
  public void uids() {
    String table = store.layout().uidTable();
    check(
        "uids",
        table,
        () -> {
          if (found().containsKey(table)) {
            findings.addAll(store.uidCapacity().findings());
          }
        });
  }

  /** Whether TSDs can find the rows of few series by their keys. */
  public void seriesIndex() {
    String data = store.layout().dataTable();
    check(
        INDEX,
        data,
        () -> {
          FoundTable table = found().get(data);
          if (table == null
              || table.family(StoreTables.PACKED_FAMILY).isEmpty()
              || !found().containsKey(StoreTables.JOBS)) {
            return;
          }
          HBaseSeriesIndex index = store.seriesIndex();
          for (String damage : index.damages()) {
            findings.add(
                Finding.warn(
                    INDEX,
                    data,
                    damage,
                    "questions about the series of that metric read all of it, and loads of it fail:"
                        + " restore table "
                        + StoreTables.JOBS
                        + " from a backup"));
          }
          findings.add(
              index.isWhole() || index.hasNoCell()
                  ? Finding.ok(INDEX, data, "the series index has all series with packed cells")
                  : Finding.warn(
                      INDEX,
                      data,
                      "has packed cells of series that are in no index, so a question about one"
                          + " series reads all of its metric",
                      "if the table was copied here, copy table "
                          + StoreTables.JOBS
                          + " too; answers are right either way"));
        });
  }

  /** Whether queries use summaries, and what keeps them from it. */
  public void summaries() {
    String table = SummaryTable.of(store.layout().dataTable());
    check(
        SUMMARIES,
        table,
        () -> {
          if (found().containsKey(StoreTables.JOBS) && found().containsKey(table)) {
            HBaseClaims.Content content = store.claims().read();
            boolean used = content.whole() || store.seriesIndex().hasNoCell();
            findings.addAll(SummaryChecks.claims(table, used, old(content.claims())));
          }
        });
  }

  private static List<String> old(List<StoredClaim> claims) {
    long yesterday = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(1);
    return claims.stream()
        .filter(claim -> claim.stampMs() < yesterday || !claim.readable())
        .map(claim -> claim.loaderId() == 0 ? "no loader" : "loader " + claim.loaderId())
        .toList();
  }

  /** Tables of the layout as they are; those that exist. */
  public Map<String, FoundTable> found() throws IOException {
    if (tables.isEmpty()) {
      for (TableSpec spec : specs()) {
        hbase.find(spec.name()).ifPresent(table -> tables.put(table.name(), table));
      }
    }
    return tables;
  }

  private List<TableSpec> specs() {
    return store.layout().tables(List.of(), FamilySpec.NOT_COMPRESSED);
  }

  /**
   * Tables against their specifications, and how long they keep what is loaded.
   *
   * @param meta whether {@code tsdb-meta} is going to be written
   */
  public void tables(boolean meta) {
    check(
        "tables",
        "HBase",
        () -> {
          List<TableSpec> needed =
              specs().stream()
                  .filter(spec -> meta || !spec.name().equals(store.layout().metaTable()))
                  .toList();
          findings.addAll(TableChecks.differences(store.layout(), needed, found()));
          if (bigtable) {
            findings.add(
                Finding.ok(
                    "tables", "Bigtable", "splits and moves tablets, and compresses, by itself"));
          }
          FoundTable data = found().get(store.layout().dataTable());
          if (data != null) {
            findings.addAll(TableChecks.timeToLive(data));
          }
        });
  }

  /** The layout against what is stored. */
  public void storedKeys() {
    StoredKeys keys = new StoredKeys(store.cluster().connection());
    String data = store.layout().dataTable();
    String uids = store.layout().uidTable();
    boolean seen =
        check(
            "layout",
            data,
            () -> {
              if (found().containsKey(data)) {
                findings.add(
                    StoredKeyChecks.rows(data, keys.rowKeys(data), store.layout().rowKeys()));
              }
            });
    if (seen) {
      check(
          "layout",
          uids,
          () -> {
            if (found().containsKey(uids)) {
              findings.add(
                  StoredKeyChecks.uids(uids, keys.uidWidths(uids), store.layout().rowKeys()));
            }
          });
    }
  }

  /** Each TSD: whether it answers, and reads what is loaded. */
  public void tsds(List<URI> urls) throws InterruptedException {
    for (URI url : urls) {
      try {
        TsdState tsd = new TsdClient(url).state();
        findings.addAll(TsdChecks.answered(tsd, store.layout(), form == CellForm.PACKED, tagsMax));
        findings.add(ClusterChecks.clock(tsd));
      } catch (IOException e) {
        findings.add(
            Finding.fail(
                "tsd", url.toString(), "does not answer: " + Causes.sentence(e), "start it"));
      }
    }
  }

  /**
   * Region servers, their clocks and codecs, and the stamps of earlier loads.
   *
   * @return whether HBase answers
   */
  public boolean servers() {
    boolean answers =
        check(
            "hbase",
            bigtable ? "Bigtable" : "HBase",
            () -> {
              if (bigtable) {
                findings.add(bigtable());
                return;
              }
              List<FoundServer> servers = hbase.servers();
              findings.add(
                  Finding.ok(
                      "hbase",
                      "HBase",
                      hbase.version() + ", " + servers.size() + " region servers"));
              servers.forEach(server -> findings.add(ClusterChecks.clock(server)));
              findings.addAll(
                  TableChecks.codecs(
                      found().values(),
                      servers.stream().map(FoundServer::name).collect(Collectors.toSet())));
            });
    return answers
        && check(
            "stamps",
            StoreTables.JOBS,
            () -> {
              if (found().containsKey(StoreTables.JOBS)) {
                findings.add(
                    ClusterChecks.stamps(
                        StoreTables.JOBS,
                        new HBaseLoaderIds(store.cluster().connection()).lastStampMs(),
                        System.currentTimeMillis()));
              }
            });
  }

  /** Bigtable shows none of its servers, clocks and codecs. */
  private Finding bigtable() throws IOException {
    return Finding.ok(
        "hbase",
        "Bigtable",
        Bigtable.instance(store.cluster().connection())
            + " answers, and has "
            + HumanNumbers.count(hbase.names().size(), "table", "tables"));
  }

  /** Tries a codec on every server, with a table of its own that is removed again. */
  public void codec(String codec) {
    if (bigtable) {
      findings.add(
          Finding.fail(
              "codec", codec, "Bigtable compresses as it likes and is told no codec", "name none"));
      return;
    }
    String todo = "install it on every region server (see docs/operations.md)";
    try {
      SortedSet<String> without =
          new CodecProbe(store.cluster().connection()).serversWithout(codec);
      findings.add(
          without.isEmpty()
              ? Finding.ok("codec", codec, "every region server opens tables with it")
              : Finding.fail(
                  "codec", codec, "does not work on " + String.join(", ", without), todo));
    } catch (IOException e) {
      findings.add(Finding.fail("codec", codec, Causes.sentence(e), todo));
    }
  }
}
