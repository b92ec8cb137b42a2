package io.packhorse.loader.cell;

/**
 * Who writes: no two loader processes or shards ever share one (design.md section 3).
 *
 * @param id 1 to 2^24 - 1, from the loader counter
 * @param stampMs cell timestamp of everything this loader writes: the HBase server's time of the
 *     counter's increment, in milliseconds since the epoch
 */
public record LoaderId(int id, long stampMs) {}
