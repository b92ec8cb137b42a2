package io.packhorse.loader.cli;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.job.WrittenJob;
import io.packhorse.loader.point.LastTimes;
import io.packhorse.loader.point.SeriesNames;
import io.packhorse.loader.resolve.SeriesResolver;
import io.packhorse.loader.sink.hfile.HFileTarget;
import io.packhorse.loader.sink.hfile.KeptFiles;
import io.packhorse.schema.key.Tsuid;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Hands the HFiles over that a job has written and kept. Running it again after a failure at any
 * step is harmless. Their folder stays until the ledger says that all is loaded: that it is gone
 * does not mean that.
 *
 * @param files of the job
 * @param to stays the caller's
 */
record HFileCompletion(KeptFiles files, Target to, PrintWriter err) {
  private static final int PROBLEMS_SHOWN = 10;

  /**
   * Files in a stage.
   *
   * @throws CommandException PREFLIGHT if its file system cannot be reached
   */
  static HFileCompletion ofStage(Target to, URI stage, PrintWriter err) {
    try {
      KeptFiles files = KeptFiles.in(to.cluster().connection(), target(to, CellForm.PACKED), stage);
      // The first question finds out whether somebody answers.
      boolean unused = files.isTaken();
      return new HFileCompletion(files, to, err);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.PREFLIGHT, "Cannot look into " + stage + ": " + LoadRun.cause(e) + ".", e);
    }
  }

  /** Files that a job has written, in its stage or to hand them over itself. */
  static HFileCompletion ofJob(Target to, LoadOptions load, Manifest manifest, PrintWriter err)
      throws IOException {
    Optional<URI> stage = load.stage();
    if (stage.isPresent()) {
      return ofStage(to, stage.get(), err);
    }
    KeptFiles files =
        KeptFiles.named(to.cluster().connection(), target(to, load.form()), folderOf(manifest));
    return new HFileCompletion(files, to, err);
  }

  private static HFileTarget target(Target to, CellForm form) {
    return Destination.hfileTarget(to, form, Optional.empty(), 1, false);
  }

  /** Name of the folder of a job's files among those of other loads. */
  static String folderOf(Manifest manifest) {
    JobShard part = manifest.part();
    return "written_"
        + manifest.id()
        + (part.isWhole() ? "" : "_" + part.number() + "-of-" + part.count());
  }

  /** Tells whether the series of a job have the same TSUIDs as elsewhere. */
  static String digest(int series, IntFunction<Tsuid> tsuids) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int id = 0; id < series; id++) {
        digest.update(tsuids.apply(id).toBytes());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The job whose files these are, if they can be handed over to this store.
   *
   * @throws CommandException PREFLIGHT if not
   */
  WrittenJob writtenHere() throws JobException, IOException {
    if (!files.exist()) {
      throw notThere();
    }
    WrittenJob written = written();
    String store = LoadJob.storeOf(to);
    if (!written.manifest().store().equals(store)) {
      throw refused(
          files + " is for the store " + written.manifest().store() + ", this is " + store);
    }
    return written;
  }

  /** What is kept beside the files. */
  WrittenJob written() throws JobException, IOException {
    Path copy = Files.createTempFile("packhorse-", ".json");
    try {
      files.fetch(WrittenJob.FILE, copy);
      return WrittenJob.read(Files.readAllBytes(copy));
    } finally {
      Files.delete(copy);
    }
  }

  /** Puts it on the ledger that all is stored; an exit code. */
  interface Finish {
    int run() throws IOException;
  }

  /**
   * Hands over what is not yet, makes the series known, has that put on the ledger.
   *
   * @param job that has written them
   * @param meta whether its series are to be made known
   * @throws CommandException PREFLIGHT if a file or a name is not as it was when it was written,
   *     and nothing was handed over; CLUSTER if not all could be
   */
  int complete(LoadJob job, boolean meta, Finish finish) throws JobException, IOException {
    handOver(job, meta);
    int code = finish.run();
    tidy();
    return code;
  }

  private void handOver(LoadJob job, boolean meta) throws JobException {
    Manifest manifest = job.job().manifest();
    try {
      SeriesNames names = new SeriesNames();
      LastTimes times = job.job().takeSeries(names);
      SeriesResolver resolver = new SeriesResolver(to.knownUids(), to.layout().rowKeys().widths());
      resolver.resolveAll(names);
      if (!files.exist()) {
        throw notThere();
      }
      check(manifest, digest(names.size(), resolver::tsuid));
      handOver(folderOf(manifest));
      if (meta) {
        to.seriesMeta().write(names.size(), resolver::tsuid, times::ofSeries);
      }
    } catch (KnownUids.NoUidException e) {
      throw refused(e.getMessage() + ": the files were not written for this store");
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.CLUSTER,
          "HFiles were not all handed over: " + LoadRun.cause(e) + "; " + job.goOn(),
          e);
    }
  }

  private void check(Manifest manifest, String tsuids) throws JobException, IOException {
    WrittenJob written = written();
    if (!written.manifest().equals(manifest)) {
      throw refused(files + " is not of job " + manifest.id());
    }
    if (!written.tsuids().equals(tsuids)) {
      throw refused("the names of its series have other UIDs than those in " + files);
    }
    List<String> problems = files.problems();
    if (!problems.isEmpty()) {
      problems.stream()
          .limit(PROBLEMS_SHOWN)
          .forEach(problem -> err.println("hfiles    " + problem));
      throw refused(
          "of the files in " + files + " " + problems.size() + " are not as they were written");
    }
  }

  private CommandException notThere() {
    return refused(files + " is not there, or holds no HFiles that were all written");
  }

  private static CommandException refused(String why) {
    return new CommandException(ExitCode.PREFLIGHT, "Nothing was handed over: " + why + ".");
  }

  private void handOver(String name) throws IOException {
    boolean asTheyLie = files.areAtTable();
    if (!asTheyLie) {
      err.println("hfiles    copying " + files + " to the table's file system");
    }
    KeptFiles there = asTheyLie ? files : files.copyToTable(name);
    int toSplit = there.toSplit();
    if (toSplit > 0) {
      err.println("hfiles    " + toSplit + " lie in regions that have changed: HBase splits them");
    }
    long unused = there.handOver();
    if (!asTheyLie) {
      there.delete();
    }
  }

  /** Removes a stage whose files HBase has taken; a copy of them stays the user's. */
  void tidy() throws IOException {
    if (files.areAtTable()) {
      files.delete();
    } else {
      err.println("hfiles    " + files + " was copied and is not needed any more");
    }
  }
}
