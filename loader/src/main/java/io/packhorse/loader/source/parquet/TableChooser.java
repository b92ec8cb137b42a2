package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import io.packhorse.loader.source.input.Input;
import io.packhorse.loader.source.input.InputException;
import java.io.IOException;

/** Decides which inputs are Parquet files, and how each is read. One thread. */
public interface TableChooser {
  /**
   * Whether an input is to be read as a Parquet file.
   *
   * @throws InputException if it cannot be opened
   */
  boolean isParquet(Input input) throws InputException;

  /**
   * How a file is read, which may be as earlier ones were.
   *
   * @throws InputException if that cannot be decided; the message says what to do
   * @throws DamagedInputException if the file is damaged where it was inspected
   */
  ParquetTable choose(ParquetFile file) throws IOException;
}
