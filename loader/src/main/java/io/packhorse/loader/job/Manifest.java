package io.packhorse.loader.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a job is, written once when it begins: {@code manifest.json}.
 *
 * @param v version of this file, {@link #VERSION}
 * @param id name of the job
 * @param shard number of this part of the job, from 1 on; 0 in older files
 * @param shards parts of the job, 1 if it is one loader's alone; 0 in older files, which all are
 * @param created time of its begin, ISO 8601
 * @param software version of Packhorse that began it
 * @param arguments command line, without the program's name
 * @param folder working directory of that command line, absolute
 * @param store table, salt and UID widths the rows were made for
 * @param cells form of the cells: packed or compacted
 * @param sink puts or hfiles
 * @param threads packing threads, which for generated points is the number of slices
 * @param inputs files, in the order they are read; none of a generated load
 * @param settings files that say how inputs are read; none in older files
 * @param repeatable whether the input can be read again: not if standard input is part of it
 */
public record Manifest(
    int v,
    String id,
    int shard,
    int shards,
    String created,
    String software,
    List<String> arguments,
    String folder,
    String store,
    String cells,
    String sink,
    int threads,
    List<JobInput> inputs,
    List<JobInput> settings,
    boolean repeatable) {
  /** The version written and read. */
  public static final int VERSION = 1;

  static final String FILE = "manifest.json";

  public Manifest {
    settings = settings == null ? List.of() : settings;
  }

  /** Which part of the job this is. */
  public JobShard part() {
    return shards == 0 ? JobShard.WHOLE : new JobShard(shard, shards);
  }

  static Manifest read(Path job) throws JobException, IOException {
    Path file = job.resolve(FILE);
    if (!Files.exists(file)) {
      throw new JobException("there is no job in " + job);
    }
    int version = new ObjectMapper().readTree(file.toFile()).path("v").asInt();
    if (version != VERSION) {
      throw new JobException(
          file + " has version " + version + ", this Packhorse reads " + VERSION);
    }
    return new ObjectMapper().readValue(file.toFile(), Manifest.class);
  }

  /** Writes it into the job's folder, on disk when this returns. */
  void write(Path job) throws IOException {
    DurableFiles.write(
        job,
        FILE,
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(this));
  }
}
