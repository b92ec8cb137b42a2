/** Threads, queues and counts between a source and a sink. */
@NullMarked
package io.packhorse.loader.pipeline;

import org.jspecify.annotations.NullMarked;
