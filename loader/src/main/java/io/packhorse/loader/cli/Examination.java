package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.ClusterChecks;
import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.StoredKeyChecks;
import io.packhorse.loader.doctor.TableChecks;
import io.packhorse.loader.doctor.TsdChecks;
import io.packhorse.loader.doctor.Verdict;
import io.packhorse.loader.query.TsdClient;
import io.packhorse.loader.query.TsdState;
import io.packhorse.loader.table.FoundServer;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.loader.table.hbase.CodecProbe;
import io.packhorse.loader.table.hbase.HBaseTables;
import io.packhorse.loader.table.hbase.StoredKeys;
import io.packhorse.loader.uidstore.hbase.HBaseLoaderIds;
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
import java.util.stream.Collectors;

/**
 * Looks at a store and its TSDs and keeps what was found. What cannot be looked at is a finding.
 */
final class Examination {
  private final Target target;
  private final CellForm form;
  private final int tagsMax;
  private final HBaseTables hbase;
  private final Map<String, FoundTable> tables = new LinkedHashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param form of the cells that are to be loaded
   * @param tagsMax most tags of a loaded series
   */
  Examination(Target target, CellForm form, int tagsMax) {
    this.target = target;
    this.form = form;
    this.tagsMax = tagsMax;
    this.hbase = new HBaseTables(target.cluster().connection());
  }

  /** One look. */
  private interface Look {
    void run() throws IOException;
  }

  /** Whether it could be looked at. */
  private boolean look(String check, String where, Look look) {
    try {
      look.run();
      return true;
    } catch (IOException e) {
      findings.add(
          Finding.fail(
              check, where, "cannot be looked at: " + LoadRun.cause(e), "see HBase's log"));
      return false;
    }
  }

  List<Finding> findings() {
    return findings;
  }

  void add(List<Finding> more) {
    findings.addAll(more);
  }

  /**
   * Refuses to go on if anything has failed.
   *
   * @throws CommandException PREFLIGHT
   */
  static void refuse(List<Finding> findings) {
    String failed =
        findings.stream()
            .filter(finding -> finding.verdict() == Verdict.FAIL)
            .map(Finding::sentence)
            .collect(Collectors.joining(".\n           "));
    if (!failed.isEmpty()) {
      throw new CommandException(
          ExitCode.PREFLIGHT, "Refused before anything was written: " + failed + ".");
    }
  }

  /** Tables of the layout as they are; those that exist. */
  Map<String, FoundTable> found() throws IOException {
    if (tables.isEmpty()) {
      for (TableSpec spec : specs()) {
        hbase.look(spec.name()).ifPresent(table -> tables.put(table.name(), table));
      }
    }
    return tables;
  }

  private List<TableSpec> specs() {
    return target.layout().tables(List.of(), FamilySpec.NOT_COMPRESSED);
  }

  /**
   * Tables against their specifications, and how long they keep what is loaded.
   *
   * @param meta whether {@code tsdb-meta} is going to be written
   */
  void tables(boolean meta) {
    boolean unused =
        look(
            "tables",
            "HBase",
            () -> {
              List<TableSpec> needed =
                  specs().stream()
                      .filter(spec -> meta || !spec.name().equals(target.layout().metaTable()))
                      .toList();
              findings.addAll(TableChecks.differences(target.layout(), needed, found()));
              FoundTable data = found().get(target.layout().dataTable());
              if (data != null) {
                findings.addAll(TableChecks.timeToLive(data));
              }
            });
  }

  /** The layout against what is stored. */
  void storedKeys() {
    StoredKeys keys = new StoredKeys(target.cluster().connection());
    String data = target.layout().dataTable();
    String uids = target.layout().uidTable();
    boolean seen =
        look(
            "layout",
            data,
            () -> {
              if (found().containsKey(data)) {
                findings.add(
                    StoredKeyChecks.rows(data, keys.rowKeys(data), target.layout().rowKeys()));
              }
            });
    boolean unused =
        seen
            && look(
                "layout",
                uids,
                () -> {
                  if (found().containsKey(uids)) {
                    findings.add(
                        StoredKeyChecks.uids(
                            uids, keys.uidWidths(uids), target.layout().rowKeys()));
                  }
                });
  }

  /** Each TSD: whether it answers, and reads what is loaded. */
  void tsds(List<URI> urls) throws InterruptedException {
    for (URI url : urls) {
      try {
        TsdState tsd = new TsdClient(url).look();
        findings.addAll(TsdChecks.answered(tsd, target.layout(), form == CellForm.PACKED, tagsMax));
        findings.add(ClusterChecks.clock(tsd));
      } catch (IOException e) {
        findings.add(
            Finding.fail(
                "tsd", url.toString(), "does not answer: " + LoadRun.cause(e), "start it"));
      }
    }
  }

  /**
   * Region servers, their clocks and codecs, and the stamps of earlier loads.
   *
   * @return whether HBase answers
   */
  boolean servers() {
    boolean answers =
        look(
            "hbase",
            "HBase",
            () -> {
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
        && look(
            "stamps",
            StoreTables.JOBS,
            () -> {
              if (found().containsKey(StoreTables.JOBS)) {
                findings.add(
                    ClusterChecks.stamps(
                        StoreTables.JOBS,
                        new HBaseLoaderIds(target.cluster().connection()).lastStampMs(),
                        System.currentTimeMillis()));
              }
            });
  }

  /** Tries a codec on every server, with a table of its own that is removed again. */
  void codec(String codec) {
    String todo = "install it on every region server (see docs/operations.md)";
    try {
      SortedSet<String> without =
          new CodecProbe(target.cluster().connection()).serversWithout(codec);
      findings.add(
          without.isEmpty()
              ? Finding.ok("codec", codec, "every region server opens tables with it")
              : Finding.fail(
                  "codec", codec, "does not work on " + String.join(", ", without), todo));
    } catch (IOException e) {
      findings.add(Finding.fail("codec", codec, LoadRun.cause(e), todo));
    }
  }
}
