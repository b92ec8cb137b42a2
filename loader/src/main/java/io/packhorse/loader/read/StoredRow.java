package io.packhorse.loader.read;

import java.util.List;

/**
 * A row of the data table: an hour of one series.
 *
 * @param rowKey as stored
 * @param columns all its columns
 */
public record StoredRow(byte[] rowKey, List<StoredColumn> columns) {}
