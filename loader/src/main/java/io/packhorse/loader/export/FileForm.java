package io.packhorse.loader.export;

import java.io.IOException;

/** Makes files of one form. Any number of threads. */
public interface FileForm {
  /** Ending of the names of the files, without a dot. */
  String suffix();

  /** Begins a part; it takes a name for each of its files. */
  ExportPart open(PartFiles files) throws IOException;

  /** Integers, in the files that have ended, that the form could not hold and rounded. */
  default long rounded() {
    return 0;
  }
}
