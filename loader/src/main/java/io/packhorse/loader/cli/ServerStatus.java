package io.packhorse.loader.cli;

import java.util.List;
import java.util.Map;

/**
 * What {@code server status --json} prints as its result; the names are kept, new ones may be
 * added.
 *
 * @param dir the store directory
 * @param exists whether it holds a store
 * @param running whether HBase runs
 * @param versions versions of packhorse, commit, hbase and opentsdb
 * @param zookeeper {@code host:port} for HBase clients, or "" if stopped
 * @param hbasePid process of HBase, or 0 if stopped
 * @param tsds the running TSDs
 * @param bytes size of HBase's files on disk
 * @param freeBytes room left on that disk
 * @param tables regions of each table; empty if stopped
 * @param log folder of the logs
 */
record ServerStatus(
    String dir,
    boolean exists,
    boolean running,
    Map<String, String> versions,
    String zookeeper,
    long hbasePid,
    List<Tsd> tsds,
    long bytes,
    long freeBytes,
    Map<String, Integer> tables,
    String log) {

  /**
   * A running TSD.
   *
   * @param kind patched or stock
   * @param url where it answers
   * @param pid its process
   */
  record Tsd(String kind, String url, long pid) {}
}
