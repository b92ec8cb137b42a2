package io.packhorse.loader.pipeline;

import io.packhorse.loader.cell.CellWrite;
import io.packhorse.loader.cell.LoaderId;
import io.packhorse.loader.cell.LoaderIds;
import io.packhorse.loader.pack.PackerContext;
import io.packhorse.loader.sink.CellSink;
import io.packhorse.loader.summary.SummedCells;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a packer needs whose cells go into a sink.
 *
 * @param sink of the packer's thread
 * @param summaries takes note of its packed cells, if anything does
 */
public record SinkContext(
    CellSink sink, Optional<SummedCells> summaries, LoaderIds ids, LoadPipeline.HourFiles hourFiles)
    implements PackerContext {
  @Override
  public LoaderId newLoaderId() throws IOException {
    return ids.next();
  }

  @Override
  public void write(CellWrite cell) throws IOException, InterruptedException {
    sink.write(cell);
  }

  @Override
  public void awaitStored() throws IOException, InterruptedException {
    sink.sendAll();
  }

  @Override
  public long retries() {
    return sink.retries();
  }

  @Override
  public Path newHourFile() throws IOException {
    return hourFiles.next();
  }
}
