package io.packhorse.loader.load;

import io.packhorse.schema.key.Tsuid;
import java.util.function.IntFunction;

/**
 * The series of a load. Its arrays must not be changed; any thread.
 *
 * @param count how many there are
 * @param tsuids by number, from 0
 * @param ofInputs by input: the number in the load of each of its series
 */
public record SpreadSeries(int count, IntFunction<Tsuid> tsuids, int[][] ofInputs) {}
