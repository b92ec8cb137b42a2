package io.packhorse.loader.cell;

/**
 * Identifies the writer of cells. No two shards of any loader process ever share one.
 *
 * @param id 1 to 2^24 - 1, from the loader counter
 * @param stampMs timestamp of all cells with this id: the HBase server's time when the counter was
 *     incremented, milliseconds since 1970
 */
public record LoaderId(int id, long stampMs) {}
