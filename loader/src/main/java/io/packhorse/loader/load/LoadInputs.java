package io.packhorse.loader.load;

import io.packhorse.loader.load.InputFindings.Note;
import io.packhorse.loader.source.input.Input;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a load reads.
 *
 * @param all files and pipes, in order; empty for generated points
 * @param notes what was said of them
 * @param saveMapping where the mapping of the first table is written, if anywhere
 */
public record LoadInputs(List<Input> all, List<Note> notes, Optional<Path> saveMapping) {
  /** Points are generated. */
  public static final LoadInputs NONE = of(List.of());

  public LoadInputs {
    all = List.copyOf(all);
    notes = List.copyOf(notes);
  }

  /** Inputs of which nothing was said. */
  static LoadInputs of(List<Input> all) {
    return new LoadInputs(all, List.of(), Optional.empty());
  }

  /** Some of them. */
  public LoadInputs with(List<Input> some) {
    return new LoadInputs(some, notes, saveMapping);
  }
}
