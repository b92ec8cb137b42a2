/** Runs a load: threads, queues, checkpoints and counts between a source and its sinks. */
@NullMarked
package io.packhorse.loader.pipeline;

import org.jspecify.annotations.NullMarked;
