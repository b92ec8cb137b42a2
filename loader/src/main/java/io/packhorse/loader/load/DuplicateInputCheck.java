package io.packhorse.loader.load;

import io.packhorse.loader.cell.CellForm;
import io.packhorse.loader.job.JobException;
import io.packhorse.loader.job.JobFolder;
import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.JobState;
import io.packhorse.loader.load.OperationException.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses files that a job of this store has loaded, or begun to load, whatever their names. A job
 * that was refused before it could store anything does not count.
 *
 * @param store as a manifest names it; jobs of other stores do not count
 * @param form of the cells; compacted ones are overwritten by the same points, so that nothing has
 *     to be refused
 */
record DuplicateInputCheck(JobFolder jobs, String store, CellForm form) {
  /**
   * @param ignored jobs that do not count
   * @param announcer told of damaged jobs, which cannot be checked
   * @throws OperationException REFUSED if a file was loaded
   */
  void refuse(List<JobInput> files, Set<String> ignored, Announcer announcer) throws IOException {
    if (form == CellForm.COMPACTED || files.isEmpty()) {
      return;
    }
    JobFolder.Listing all = jobs.list();
    for (JobException damaged : all.damaged()) {
      announcer.say(
          "WARNING",
          damaged.getMessage() + "; it is not checked whether that job has loaded these files");
    }
    for (JobFolder.Entry earlier : all.jobs()) {
      String id = earlier.manifest().id();
      if (ignored.contains(id)
          || !earlier.manifest().store().equals(store)
          || hasStoredNothing(earlier)) {
        continue;
      }
      for (JobInput file : files) {
        if (file.bytes() > 0 && earlier.manifest().inputs().stream().anyMatch(file::sameContent)) {
          throw new OperationException(
              Kind.REFUSED,
              String.format(
                  Locale.ROOT,
                  "%s was loaded by job %s, which is %s; nothing was loaded. To load it again and"
                      + " delete what that job stored: --replace %s; to load it beside that, with"
                      + " other tags: --allow-duplicate-input%s",
                  file.name(),
                  id,
                  earlier.history().state(),
                  id,
                  earlier.history().state() == JobState.OPEN
                      ? "; to resume that job: packhorse job resume " + id
                      : ""));
        }
      }
    }
  }

  /** Its loader ids are on the ledger before anything is stored under them. */
  private boolean hasStoredNothing(JobFolder.Entry job) throws IOException {
    return job.history().state() == JobState.ROLLED_BACK
        || (job.history().hasStoredNothing() && !jobs.isHeld(job.manifest()));
  }
}
