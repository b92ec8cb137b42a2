package io.packhorse.loader.source.format;

import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import io.packhorse.loader.source.parquet.ParquetFile;
import io.packhorse.loader.source.parquet.ParquetTable;
import io.packhorse.loader.source.text.InputHead;
import io.packhorse.loader.source.text.RecordFormat;
import java.io.IOException;

/** Decides as other formats do; a subclass changes what it needs to. */
public abstract class ForwardingFormats implements InputFormats {
  private final InputFormats formats;

  protected ForwardingFormats(InputFormats formats) {
    this.formats = formats;
  }

  @Override
  public RecordFormat choose(InputHead head) throws InputException {
    return formats.choose(head);
  }

  @Override
  public int linesNeeded() {
    return formats.linesNeeded();
  }

  @Override
  public boolean isParquet(Input input) throws InputException {
    return formats.isParquet(input);
  }

  @Override
  public ParquetTable choose(ParquetFile file) throws IOException {
    return formats.choose(file);
  }
}
