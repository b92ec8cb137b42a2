package io.packhorse.loader.doctor;

import java.util.ArrayList;
import java.util.List;

/** Checks whether queries can use the summaries of a store. Stateless; any thread. */
public final class SummaryChecks {
  private static final String SUMMARIES = "summaries";

  private SummaryChecks() {}

  /**
   * Judges the mark and the claims of a table of summaries.
   *
   * @param used whether queries use it
   * @param old whose claims are older than a day, or damaged
   */
  public static List<Finding> claims(String table, boolean used, List<String> old) {
    List<Finding> findings = new ArrayList<>();
    if (!used) {
      findings.add(
          Finding.warn(
              SUMMARIES,
              table,
              "is not used, because there are packed cells that it does not sum up",
              "run packhorse summary build; answers are right either way"));
    }
    if (!old.isEmpty()) {
      findings.add(
          Finding.warn(
              SUMMARIES,
              table,
              "has claims that are older than a day or damaged, of " + String.join(", ", old),
              "packhorse summary show says what to do; queries read such hours from the cells"));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(SUMMARIES, table, "is used by queries"));
    }
    return findings;
  }
}
