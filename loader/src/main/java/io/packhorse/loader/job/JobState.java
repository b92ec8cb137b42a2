package io.packhorse.loader.job;

/** How far a job has come, by its ledger. */
public enum JobState {
  /** Not finished: it runs, or can be resumed. */
  OPEN("unfinished"),

  /** All HFiles are written, and not all of them are bulk-loaded. */
  STAGED("staged"),

  /** Everything is in the store. */
  LOADED("loaded"),

  /** Of a repack: the new cells are stored and verified; the old columns are there, too. */
  VERIFIED("verified"),

  /** Of a repack: old columns are being deleted. */
  DELETING("deleting"),

  /** Of a repack: the old columns are deleted. */
  REPACKED("repacked"),

  /** Everything it had stored is deleted. */
  ROLLED_BACK("rolled back");

  private final String shown;

  JobState(String shown) {
    this.shown = shown;
  }

  /** Whether nothing is left to do or to resume. */
  public boolean isFinal() {
    return this == LOADED || this == REPACKED || this == ROLLED_BACK;
  }

  /** In a word, for people and JSON. */
  @Override
  public String toString() {
    return shown;
  }
}
