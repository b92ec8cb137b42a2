package io.packhorse.loader.sink.hfile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How the HFiles of a load are staged: kept, once all of them are written, in a folder that
 * outlives this process.
 *
 * @param folder its name, in the place of all load folders
 * @param bulkLoad whether the files are bulk-loaded at once; else somebody does that later, as
 *     {@link StagedHFiles}
 * @param job whose files they are
 */
public record Staging(String folder, boolean bulkLoad, Steps job) {
  /** What a job does on the way. Each method is called once, in this order, by a sink's thread. */
  public interface Steps {
    /** No more cells will come; other threads may still be merging cells into HFiles. */
    void cellsComplete() throws IOException;

    /**
     * Every HFile is written.
     *
     * @return local files to be copied into the folder
     */
    List<Path> describe() throws IOException;

    /** The folder is complete and has its name; the first bulk load follows. */
    void staged() throws IOException;
  }
}
