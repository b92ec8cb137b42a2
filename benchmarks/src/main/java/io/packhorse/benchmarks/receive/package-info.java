/** What a receiver of live points costs, beside a TSD and QuestDB. */
@NullMarked
package io.packhorse.benchmarks.receive;

import org.jspecify.annotations.NullMarked;
