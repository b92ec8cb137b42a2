package io.packhorse.loader.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file for each part that has points. It gets its name when it is complete; until then it ends in
 * {@code .partial}.
 */
public final class DirectoryTarget implements ExportTarget {
  private final TextFormat format;
  private final Path directory;

  /**
   * @param directory exists
   */
  public DirectoryTarget(TextFormat format, Path directory) {
    this.format = format;
    this.directory = directory;
  }

  @Override
  public ExportPart open(int number) throws IOException {
    CompleteFile.deleteAll(directory, number);
    return new TextPart(
        format, new PartFile(CompleteFile.of(directory, number, 0, format.suffix())));
  }

  private static final class PartFile implements TextPart.Output {
    private final Path file;
    private final Path partial;
    private @Nullable OutputStream out;

    private PartFile(Path file) {
      this.file = file;
      this.partial = CompleteFile.partial(file);
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
      OutputStream open = out;
      if (open == null) {
        open = Files.newOutputStream(partial);
        out = open;
      }
      open.write(bytes, 0, length);
    }

    @Override
    public void finish() throws IOException {
      OutputStream open = out;
      if (open != null) {
        open.close();
        CompleteFile.of(partial, file);
      }
    }

    @Override
    public void close() throws IOException {
      OutputStream open = out;
      if (open != null) {
        open.close();
      }
    }
  }
}
