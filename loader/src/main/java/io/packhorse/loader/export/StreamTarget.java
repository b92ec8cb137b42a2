package io.packhorse.loader.export;

import java.io.IOException;
import java.io.OutputStream;

/** One stream for all parts: whole lines, in whatever order the parts have them. */
public final class StreamTarget implements ExportTarget {
  private final TextFormat format;
  private final OutputStream stream;

  /** The reader of the stream has gone. */
  public static final class ClosedStreamException extends IOException {
    private static final long serialVersionUID = 1;

    private ClosedStreamException(IOException cause) {
      super("standard output cannot be written: " + cause.getMessage(), cause);
    }
  }

  /**
   * @param stream stays the caller's
   */
  public StreamTarget(TextFormat format, OutputStream stream) {
    this.format = format;
    this.stream = stream;
  }

  @Override
  public ExportPart open(int number) {
    return new TextPart(format, output(stream));
  }

  /**
   * Lines to a stream.
   *
   * @param stream stays the caller's
   */
  public static TextPart.Output output(OutputStream stream) {
    return new Shared(stream);
  }

  private record Shared(OutputStream stream) implements TextPart.Output {
    @Override
    public void write(byte[] bytes, int length) throws IOException {
      synchronized (stream) {
        try {
          stream.write(bytes, 0, length);
        } catch (IOException e) {
          throw new ClosedStreamException(e);
        }
      }
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
  }
}
