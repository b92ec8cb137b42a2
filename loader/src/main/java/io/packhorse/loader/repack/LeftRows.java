package io.packhorse.loader.repack;

import io.packhorse.loader.read.BrokenColumn;
import java.io.IOException;

/** Takes what a repack leaves as it is. One thread. */
public interface LeftRows {
  void take(BrokenColumn column) throws IOException;
}
