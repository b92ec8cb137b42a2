package io.packhorse.loader.load;

import io.packhorse.loader.job.JobShard;
import io.packhorse.loader.job.LoadSettings;
import io.packhorse.loader.source.input.Input;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A load that is to begin.
 *
 * @param inputs files and pipes of this shard, in order; empty for generated points
 * @param jobId name of its job
 * @param shard which part of the job it is
 * @param command the words that asked for it, for people to read
 * @param saveMapping where the mapping of the first table is written, if anywhere
 * @param duplicates whether files are loaded whose content another job has loaded
 */
public record LoadRequest(
    LoadSettings settings,
    List<Input> inputs,
    String jobId,
    JobShard shard,
    List<String> command,
    Optional<Path> saveMapping,
    boolean duplicates) {}
