package io.packhorse.loader.export;

import io.packhorse.schema.bytes.ByteWriter;
import java.io.IOException;

/** A part that is written as lines, some hundred kilobytes of whole lines at a time. One thread. */
abstract class LinesPart implements ExportPart {
  private static final int CHUNK_BYTES = 1 << 18;

  /** Lines that are not yet with the output. */
  final ByteWriter chunk = new ByteWriter(2 * CHUNK_BYTES);

  private final TextPart.Output output;
  private long bytes;

  /**
   * @param output is closed with this
   */
  LinesPart(TextPart.Output output) {
    this.output = output;
  }

  /** To be called after lines were added. */
  final void flushIfFull() throws IOException {
    if (chunk.length() >= CHUNK_BYTES) {
      flush();
    }
  }

  private void flush() throws IOException {
    output.write(chunk.array(), chunk.length());
    bytes += chunk.length();
    chunk.reset();
  }

  @Override
  public final void finish() throws IOException {
    if (chunk.length() > 0) {
      flush();
    }
    output.finish();
  }

  @Override
  public final long bytes() {
    return bytes;
  }

  @Override
  public final void close() throws IOException {
    output.close();
  }
}
