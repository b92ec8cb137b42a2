package io.packhorse.loader.load;

import io.packhorse.loader.job.JobInput;
import io.packhorse.loader.job.Manifest;
import io.packhorse.loader.source.input.Input;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of a job, as its manifest records them and as they are now. */
final class JobFiles {
  private JobFiles() {}

  /** The files among inputs that can be read again. */
  static List<JobInput> of(List<Input> inputs) throws IOException {
    List<JobInput> files = new ArrayList<>();
    for (Input input : inputs) {
      Optional<Path> file = input.opener().file();
      if (input.isPlainFile() && file.isPresent()) {
        files.add(JobInput.of(input.name(), file.get()));
      }
    }
    return files;
  }

  /** Which file has changed since the job began, if one has. */
  static Optional<String> change(Manifest manifest) throws IOException {
    for (JobInput then : manifest.inputs()) {
      Path file = Path.of(then.path());
      if (!Files.isReadable(file)) {
        return Optional.of("its input " + file + " cannot be read any more");
      }
      if (!then.sameContent(JobInput.of(then.name(), file))) {
        return Optional.of("its input " + file + " has changed since the job began");
      }
    }
    return Optional.empty();
  }

  /** The inputs of a job, to be read again. */
  static List<Input> inputs(Manifest manifest) throws IOException {
    List<Input> inputs = new ArrayList<>();
    for (JobInput file : manifest.inputs()) {
      inputs.add(Input.ofFile(file.name(), Path.of(file.path())));
    }
    return inputs;
  }
}
