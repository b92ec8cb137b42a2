package io.packhorse.loader.summary;

import io.packhorse.loader.cell.LoaderId;
import io.packhorse.schema.summary.SummaryLevel;
import java.io.IOException;

/**
 * A block ready to be stored. Its arrays must not be changed.
 *
 * @param level decides the column family
 * @param number of the block among those of this loader in its row
 */
public record SummaryWrite(
    byte[] rowKey, SummaryLevel level, LoaderId loader, int number, byte[] value) {
  /** Takes blocks. */
  public interface Receiver {
    void take(SummaryWrite block) throws IOException;
  }
}
