package io.packhorse.loader.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Lines in files; a file for each part that has points. */
public final class TextFiles implements FileForm {
  private final TextFormat format;

  public TextFiles(TextFormat format) {
    this.format = format;
  }

  @Override
  public String suffix() {
    return format.suffix();
  }

  @Override
  public ExportPart open(PartFiles files) {
    return new TextPart(format, new FileOutput(files));
  }

  /** A file that is made with its first lines, and gets its name when it is complete. */
  static final class FileOutput implements TextPart.Output {
    private final PartFiles files;
    private @Nullable Path file;
    private @Nullable OutputStream out;

    FileOutput(PartFiles files) {
      this.files = files;
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
      Path writing = file == null ? files.next() : file;
      file = writing;
      try {
        if (out == null) {
          out = Files.newOutputStream(PartFiles.partial(writing));
        }
        out.write(bytes, 0, length);
      } catch (IOException e) {
        throw PartFiles.failed(writing, e);
      }
    }

    @Override
    public void finish() throws IOException {
      close();
      if (file != null) {
        PartFiles.complete(file);
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
