package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.doctor.ClusterChecks;
import io.packhorse.loader.doctor.Finding;
import io.packhorse.loader.doctor.TsdChecks;
import io.packhorse.loader.hbase.Bigtable;
import io.packhorse.loader.hbase.Cluster;
import io.packhorse.loader.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Examines a store and its TSDs before a load. One thread. */
public final class Doctor {
  private final StoreAddress store;
  private final Announcer announcer;

  /**
   * @param announcer hears of an embedded store that is started
   */
  public Doctor(StoreAddress store, Announcer announcer) {
    this.store = store;
    this.announcer = announcer;
  }

  /**
   * Makes every check that the state of the store allows. A store that cannot be reached is a
   * finding, not an exception.
   *
   * @param form of the cells that are to be loaded
   * @param tagsMax most tags of a series that is to be loaded
   * @param codec tried on every region server, by an empty table that is removed again
   */
  public List<Finding> examine(CellForm form, int tagsMax, Optional<String> codec)
      throws StoreException, IOException, InterruptedException {
    List<Finding> settings = new ArrayList<>();
    store
        .tsdConfigFile()
        .forEach((file, config) -> settings.addAll(TsdChecks.settings(config, file, tagsMax)));
    try (StoreConnection to = store.connect(announcer)) {
      PreflightChecks checks = new PreflightChecks(to, form, tagsMax);
      checks.add(settings);
      if (checks.servers()) {
        examine(to, checks, codec);
      }
      return checks.findings();
    } catch (OperationException e) {
      if (e.kind() != OperationException.Kind.CLUSTER) {
        throw e;
      }
      settings.add(
          Finding.fail(
              "reachable",
              "store",
              String.valueOf(e.getMessage()),
              "start it, or correct its address"));
      return settings;
    }
  }

  private void examine(StoreConnection to, PreflightChecks checks, Optional<String> codec)
      throws StoreException, IOException, InterruptedException {
    checks.tables(true);
    checks.storedKeys();
    checks.uids();
    checks.seriesIndex();
    checks.summaries();
    List<URI> tsds = store.tsds(to);
    checks.tsds(tsds);
    if (tsds.isEmpty()) {
      checks.add(List.of(noTsd()));
    }
    if (codec.isPresent()) {
      checks.codec(codec.get().toUpperCase(Locale.ROOT));
    }
    checks.add(List.of(jobsRoom()));
    if (to.embedded().isEmpty()) {
      checks.add(List.of(storeRoom(to)));
    }
  }

  private static Finding noTsd() {
    return Finding.warn(
        "patched",
        "TSDs",
        "none was named, so it is not known whether they can read what is loaded",
        "name them with --tsd-url http://HOST:4242");
  }

  /** Room for jobs; that of the embedded store is the same. */
  private Finding jobsRoom() throws IOException {
    Path jobs = store.jobs().path();
    Path there = jobs;
    while (there.getParent() != null && !Files.exists(there)) {
      there = there.getParent();
    }
    FileStore disk = Files.getFileStore(there);
    return ClusterChecks.diskSpace(
        "jobs and sorting", jobs.toString(), disk.getUsableSpace(), disk.getTotalSpace());
  }

  private static Finding storeRoom(StoreConnection to) throws IOException {
    if (Bigtable.is(to.cluster().connection())) {
      return Finding.ok("disk", "Bigtable", "no disk of its own that could fill up");
    }
    Optional<Cluster.DiskSpace> room = to.cluster().diskSpace();
    return room.isPresent()
        ? ClusterChecks.diskSpace(
            "HBase", room.get().name(), room.get().freeBytes(), room.get().totalBytes())
        : Finding.warn(
            "disk", "HBase", "room is not known", "give its hbase-site.xml with --hbase-conf");
  }
}
