package io.packhorse.loader.load;

import io.packhorse.loader.sink.hfile.WrittenHFile;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the attempt of a task has written that counts.
 *
 * @param packed points in its cells
 * @param replaced points that a later one of the same series and time replaced
 * @param cells number of them
 * @param cellBytes their row keys, qualifiers and values
 * @param valueBytes their values alone
 * @param replacedAt series and time, milliseconds since 1970, of a replaced point; null for none
 * @param file the HFile with these cells; null if the task wrote no cell
 */
public record SpreadWriting(
    long packed,
    long replaced,
    long cells,
    long cellBytes,
    long valueBytes,
    long @Nullable [] replacedAt,
    @Nullable WrittenHFile file)
    implements Serializable {
  private static final long serialVersionUID = 1;
}
