package io.packhorse.loader.cli;

import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.Summaries;
import io.packhorse.loader.summary.hbase.StoredClaim;
import io.packhorse.loader.summary.hbase.SummaryBuilder.Built;
import io.packhorse.loader.summary.hbase.SummaryVerifier.Verified;
import io.packhorse.loader.table.FoundTable;
import io.packhorse.schema.key.RowKeyLayout;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints what the commands about summaries have found. */
final class SummaryPrinter {
  private SummaryPrinter() {}

  static Map<String, Object> json(Optional<Built> built) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("cells", built.map(Built::cells).orElse(0L));
    result.put("claims_removed", built.map(each -> each.removed().size()).orElse(0));
    result.put("used", built.map(Built::whole).orElse(true));
    result.put("claims", json(built.map(Built::left).orElse(List.of())));
    return result;
  }

  static void print(Optional<Built> found, PrintWriter out) {
    if (found.isEmpty()) {
      out.println("nothing to build: queries use the summaries, and no claim waits for a build");
      return;
    }
    Built built = found.get();
    out.printf("built     of %s%n", HumanNumbers.count(built.cells(), "cell", "cells"));
    print(built.left(), out);
    used(built.whole(), out);
  }

  private static void used(boolean whole, PrintWriter out) {
    out.println(
        whole
            ? "used      queries use the summaries, but for claims"
            : "not used  queries read cells alone until packhorse summary build has built everything");
  }

  static Map<String, Object> json(Verified verified) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("cells", verified.cells());
    result.put("blocks", verified.blocks());
    result.put("differing", verified.differing());
    result.put("claimed", verified.claimed());
    result.put("problems", verified.problems());
    result.put("claims", json(verified.claims()));
    return result;
  }

  static void print(Verified verified, PrintWriter out) {
    out.printf(
        "compared  %s with %s: %s%n",
        HumanNumbers.count(verified.blocks(), "block", "blocks"),
        HumanNumbers.count(verified.cells(), "cell", "cells"),
        verified.differing() == 0
            ? "all agree"
            : HumanNumbers.count(verified.differing(), "differs", "differ"));
    verified.problems().forEach(problem -> out.println("differs   " + problem));
    if (verified.claimed() > 0) {
      out.printf(
          "claimed   %s in hours with a claim only, which queries read from the cells%n",
          HumanNumbers.count(verified.claimed(), "more differs", "more differ"));
    }
    print(verified.claims(), out);
    if (verified.differing() > 0) {
      out.println(
          "-> answers may be wrong: run packhorse summary drop, then packhorse summary build");
    }
  }

  static Map<String, Object> json(Summaries.Shown shown) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("table", shown.table());
    result.put("exists", shown.found().isPresent());
    result.put("bytes", shown.found().isPresent() ? bytesOrNull(shown.found().get()) : 0L);
    result.put("regions", shown.found().map(table -> table.startKeys().size()).orElse(0));
    result.put("used", shown.whole());
    result.put("claims", json(shown.claims()));
    return result;
  }

  static void print(Summaries.Shown shown, PrintWriter out) {
    out.printf(
        "table     %s: %s%n",
        shown.table(),
        shown
            .found()
            .map(
                table ->
                    HumanNumbers.count(table.startKeys().size(), "region", "regions")
                        + ", "
                        + bytes(table))
            .orElse("does not exist; the next load or packhorse summary build creates it"));
    print(shown.claims(), out);
    used(shown.whole(), out);
  }

  static String bytes(FoundTable table) {
    Long known = bytesOrNull(table);
    return known == null ? "size not known" : HumanNumbers.bytes((double) known) + " in files";
  }

  /** Bytes of a table for programs, which see null where the store does not tell. */
  static @Nullable Long bytesOrNull(FoundTable table) {
    return table.bytes().isPresent() ? table.bytes().getAsLong() : null;
  }

  private static List<Map<String, Object>> json(List<StoredClaim> claims) {
    return claims.stream().map(SummaryPrinter::json).toList();
  }

  private static Map<String, Object> json(StoredClaim claim) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("loader", claim.loaderId() == 0 ? null : claim.loaderId());
    object.put("reason", claim.readable() ? claim.claim().reason() : "damaged");
    object.put("from_s", claim.claim().fromSeconds());
    object.put("to_s", claim.claim().toSeconds());
    object.put("metrics", claim.claim().metrics().size());
    object.put("stored_ms", claim.stampMs());
    return object;
  }

  private static void print(List<StoredClaim> claims, PrintWriter out) {
    for (StoredClaim claim : claims) {
      out.printf(
          "claim     %s, %s, %s, since %s: %s%n",
          claim.loaderId() == 0 ? "no loader" : "loader " + claim.loaderId(),
          times(claim),
          claim.claim().metrics().isEmpty()
              ? "all metrics"
              : HumanNumbers.count(claim.claim().metrics().size(), "metric", "metrics"),
          Instant.ofEpochMilli(claim.stampMs()),
          claim.readable() ? why(claim) : "it is damaged, and counts as one of everything");
    }
  }

  private static String times(StoredClaim claim) {
    return claim.claim().fromSeconds() == 0 && claim.claim().toSeconds() == RowKeyLayout.END_OF_TIME
        ? "all hours"
        : Instant.ofEpochSecond(claim.claim().fromSeconds())
            + " to "
            + Instant.ofEpochSecond(claim.claim().toSeconds());
  }

  private static String why(StoredClaim claim) {
    return switch (claim.claim().reason()) {
      case WRITING ->
          "a load is writing. If its process has died, resume the job or roll it back, or build with"
              + " --ended "
              + claim.loaderId();
      case NOT_SUMMARISED ->
          claim.loaderId() == 0
              ? "summaries are being built, or that has died; an hour later it counts as died"
              : "not summed up yet: packhorse summary build";
      case DELETED ->
          claim.loaderId() == 0
              ? "a TSD has deleted rows: packhorse summary build, an hour later"
              : "a rollback is deleting. If it has died, run it again";
    };
  }
}
