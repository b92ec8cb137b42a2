package io.packhorse.loader.table;

/**
 * What a region has done since its server opened it, and what it holds.
 *
 * @param server host and port
 * @param region its encoded name, which a split or a merge replaces
 * @param reads requests, one a row
 * @param writes requests, one a row
 * @param memoryBytes of cells that are in memory only
 * @param fileBytes of its store files
 */
public record RegionLoad(
    String server,
    String region,
    long reads,
    long writes,
    long memoryBytes,
    int files,
    long fileBytes) {}
