package io.packhorse.loader.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a job is, written when it begins: {@code manifest.json}. Only the store of a receiver's job
 * may be added later.
 *
 * @param v version of this file, {@link #VERSION}
 * @param id name of the job
 * @param shard number of this part of the job, from 1 on
 * @param shards parts of the job, 1 if it has one loader
 * @param created when it began, ISO 8601
 * @param software version of Packhorse that began it
 * @param command the words it was asked for with, for people to read; never parsed
 * @param store table, salt and UID widths the rows are made for; empty until a receiver that began
 *     while its store was away has reached it
 * @param settings of the load
 * @param inputs files in the order they are read; empty for generated points
 * @param repeatable whether the input can be read again: not if standard input is part of it
 */
public record Manifest(
    int v,
    String id,
    int shard,
    int shards,
    String created,
    String software,
    List<String> command,
    String store,
    LoadSettings settings,
    List<JobInput> inputs,
    boolean repeatable) {
  /** The version written and read. */
  public static final int VERSION = 2;

  static final String FILE = "manifest.json";

  /** Which part of the job this is. */
  public JobShard part() {
    return new JobShard(shard, shards);
  }

  Manifest withStore(String reached) {
    return new Manifest(
        v, id, shard, shards, created, software, command, reached, settings, inputs, repeatable);
  }

  static Manifest read(Path job) throws JobException, IOException {
    Path file = job.resolve(FILE);
    if (!Files.exists(file)) {
      throw new JobException("there is no job in " + job);
    }
    try {
      JsonNode json = JobJson.MAPPER.readTree(file.toFile());
      checkVersion(json, json.path("software"), VERSION, file.toString());
      return JobJson.MAPPER.treeToValue(json, Manifest.class);
    } catch (JsonProcessingException e) {
      throw new JobException(file + " is damaged: it is not the JSON that Packhorse wrote");
    }
  }

  /**
   * Refuses a file of another version than the one that can be read.
   *
   * @param software the version of Packhorse that wrote it, as the file tells
   */
  static void checkVersion(JsonNode json, JsonNode software, int version, String file)
      throws JobException {
    int found = json.path("v").asInt();
    if (found != version) {
      throw new JobException(
          file
              + " has version "
              + found
              + ", this Packhorse reads version "
              + version
              + "; use the one that wrote the file, "
              + software.asText("which it does not name"));
    }
  }

  /** Writes it into the job's folder, on disk when this returns. */
  void write(Path job) throws IOException {
    DurableFiles.write(job, FILE, JobJson.MAPPER.writeValueAsBytes(this));
  }
}
