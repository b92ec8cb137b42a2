package io.packhorse.loader.cli;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import io.packhorse.schema.packed.PackedCellDecoder;
import io.packhorse.schema.packed.PackedCellEncoder;
import io.packhorse.schema.packed.PackedQualifier;
import java.util.function.Supplier;

/** What blocks of points take as packed cells of one effort. One thread. */
final class PackedSize {
  private final String effort;
  private final PackedCellEncoder encoder;
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock back = new PointBlock();
  private long bytes;

  /**
   * @param effort name, for people
   */
  PackedSize(String effort, PackedCellEncoder encoder) {
    this.effort = effort;
    this.encoder = encoder;
  }

  /**
   * Packs a block and reads it back.
   *
   * @param place where its points are from, for people
   * @return the cell
   * @throws CommandException VERIFICATION if a single bit of a point differs
   */
  byte[] add(PointBlock block, Supplier<String> place) {
    byte[] cell = encoder.encode(block);
    String fault = null;
    try {
      decoder.decode(cell, back);
      if (!back.equals(block)) {
        fault = "gives back other points";
      }
    } catch (MalformedCellException e) {
      fault = "cannot be read back: " + e.getMessage();
    }
    if (fault != null) {
      throw new CommandException(
          ExitCode.VERIFICATION,
          "The "
              + effort
              + " cell of "
              + place.get()
              + " "
              + fault
              + ". This is a fault of Packhorse; please report it with the points of that hour.");
    }
    bytes += cell.length + PackedQualifier.LENGTH;
    return cell;
  }

  /** Its name. */
  String effort() {
    return effort;
  }

  /** Bytes of all cells and their qualifiers. */
  long bytes() {
    return bytes;
  }
}
