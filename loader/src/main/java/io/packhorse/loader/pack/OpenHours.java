package io.packhorse.loader.pack;

import io.packhorse.loader.point.PointBatch;
import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Reads back the points that {@link HourPacker#saveOpen} saved. One thread. */
public final class OpenHours implements Closeable {
  private final Queue<HourFile> files;
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock block = new PointBlock();
  private @Nullable HourReader reader;

  /**
   * @param files in the order of {@link HourPacker.Saved}, so that of equal times the later comes
   *     last
   */
  public OpenHours(List<HourFile> files) {
    this.files = new ArrayDeque<>(files);
  }

  /**
   * Appends the points of the next hour to a batch.
   *
   * @return false at the end
   * @throws IOException if a file cannot be read or is damaged
   */
  public boolean next(PointBatch into) throws IOException {
    SavedHour hour = nextHour();
    if (hour == null) {
      return false;
    }
    try {
      decoder.decode(hour.cell(), block);
    } catch (MalformedCellException e) {
      throw new IOException("a file of open hours is damaged: " + e.getMessage(), e);
    }
    long baseMs = (long) hour.hour() * PointBlock.HOUR_MS;
    for (int i = 0; i < block.count(); i++) {
      into.add(
          hour.series(), baseMs + block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
    }
    return true;
  }

  private @Nullable SavedHour nextHour() throws IOException {
    while (true) {
      HourReader present = reader;
      SavedHour hour = present == null ? null : present.next();
      if (hour != null) {
        return hour;
      }
      close();
      HourFile file = files.poll();
      if (file == null) {
        return null;
      }
      reader = new HourReader(file);
    }
  }

  @Override
  public void close() throws IOException {
    HourReader present = reader;
    reader = null;
    if (present != null) {
      present.close();
    }
  }
}
