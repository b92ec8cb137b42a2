package io.packhorse.loader.cli;

import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.load.LoadPlan;
import io.packhorse.loader.load.Replaced;
import java.io.PrintWriter;
import java.time.Instant;

/** Prints what a dry run has found. */
final class PlanPrinter {
  private PlanPrinter() {}

  /** Prints the plan. */
  static void print(LoadPlan plan, PrintWriter out) {
    LoadPlan.Sample sample = plan.sample();
    String about = plan.exact() ? "" : "about ";
    out.printf(
        "inputs    %s, %s; %s%n",
        HumanNumbers.count(plan.inputs(), "file", "files"),
        HumanNumbers.bytes((double) plan.inputBytes()),
        plan.exact()
            ? "all of it read"
            : HumanNumbers.count(plan.wholeInputs())
                + " of them read whole, of the others the beginning");
    out.printf(
        "points    %s%s of %s series%s; %s%s rejected, %s%s left out%n",
        about,
        HumanNumbers.count(plan.whole(sample.points())),
        HumanNumbers.count(sample.series()),
        plan.exact() ? "" : " or more",
        about,
        HumanNumbers.count(plan.whole(sample.rejected())),
        about,
        HumanNumbers.count(plan.whole(sample.leftOut())));
    sample.firstSeries().forEach(name -> out.println("          " + name));
    if (sample.series() > sample.firstSeries().size()) {
      out.println("          ...");
    }
    if (sample.replaced() > 0) {
      out.printf(
          "replaced  %s%s of them have the series and time of another point%s; the last one"
              + " counts%n",
          about,
          HumanNumbers.count(plan.whole(sample.replaced())),
          sample.howReplaced().example().map(at -> ", such as " + at).orElse(""));
    }
    if (sample.points() > 0) {
      out.printf(
          "times     %s to %s%s%n",
          Instant.ofEpochMilli(sample.firstMs()),
          Instant.ofEpochMilli(sample.lastMs()),
          plan.exact() ? "" : ", and what the rest holds");
    }
    out.printf(
        "cells     %s%s, %s bytes/point; in %s at least%n",
        about,
        HumanNumbers.bytes((double) plan.whole(sample.cellBytes())),
        HumanNumbers.ratio(plan.bytesPerPoint()),
        HumanNumbers.count(plan.buckets(), "region", "regions"));
    out.printf(
        "time      about %s to read and pack on one thread here; the store may take longer%n",
        HumanNumbers.seconds(plan.seconds() / plan.share()));
    out.println("dry run   nothing was stored");
  }

  /** What a user has to decide before the load, for standard error. */
  static void warn(LoadPlan plan, PrintWriter err) {
    LoadPlan.Sample sample = plan.sample();
    if (Replaced.isMany(sample.replaced(), sample.points())) {
      LoadPrinter.printReplaced(
          (plan.exact() ? "" : "about ")
              + HumanNumbers.count(plan.whole(sample.replaced()))
              + " of "
              + HumanNumbers.count(plan.whole(sample.points())),
          "would replace others of this load",
          sample.howReplaced().example(),
          err);
    }
  }
}
