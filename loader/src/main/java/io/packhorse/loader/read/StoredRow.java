package io.packhorse.loader.read;

import java.util.List;

/**
 * One row of the data table: an hour of one series.
 *
 * @param rowKey as stored
 * @param columns every column of it
 */
public record StoredRow(byte[] rowKey, List<StoredColumn> columns) {}
