package io.packhorse.loader.cli;

import io.packhorse.loader.load.HumanNumbers;
import io.packhorse.loader.table.TablePlan;
import io.packhorse.schema.key.SaltFunction;
import io.packhorse.schema.uid.UidKind;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints how tables should be made for a workload. */
final class TablePlanPrinter {
  /** Copies that HDFS keeps of each block. */
  static final int COPIES = 3;

  private TablePlanPrinter() {}

  /** Prints the plan. */
  static void print(TablePlan plan, PrintWriter out) {
    SaltFunction salt = plan.layout().salt();
    out.printf("points    %s%n", HumanNumbers.si(plan.volume().points()));
    out.printf(
        "cells     %s of %s points%n",
        HumanNumbers.si(plan.volume().cells()), HumanNumbers.si(plan.volume().pointsPerCell()));
    out.printf(
        "size      %s of HFiles, %s bytes/point; %s on disks with %d copies%n",
        HumanNumbers.bytes(plan.bytes()),
        HumanNumbers.ratio(plan.bytesPerPoint()),
        HumanNumbers.bytes(COPIES * plan.bytes()),
        COPIES);
    out.printf(
        "salt      tsd.storage.salt.width = %d, tsd.storage.salt.buckets = %d; fixed once the first"
            + " point is stored%n",
        salt.width(), salt.buckets());
    out.printf(
        "regions   %d of %s: %d per salt bucket, %s%n",
        plan.regions(),
        HumanNumbers.bytes(plan.bytes() / plan.regions()),
        plan.regionsPerBucket(),
        plan.regionsPerBucket() == 1 ? "split by bucket" : "split by bucket, metric and time");
    for (UidKind kind : UidKind.values()) {
      out.printf(
          "UIDs      %s: %s%s of %s%s%n",
          kind.qualifier(),
          kind == UidKind.TAGV ? "at most " : "",
          HumanNumbers.count(plan.uids(kind)),
          HumanNumbers.count(plan.uidsMax(kind)),
          plan.mayRunOut(kind)
              ? String.format(
                  Locale.ROOT,
                  " - TOO FEW: raise tsd.storage.uid.width.%s before the first point",
                  kind.name().toLowerCase(Locale.ROOT))
              : "");
    }
    if (salt.width() == 0) {
      out.println(
          "WARNING   without salt all new points of a metric are in one region: use one byte of"
              + " salt");
    }
  }
}
