package io.packhorse.loader.query;

import java.net.URI;
import java.util.Properties;

/**
 * What a TSD says of itself.
 *
 * @param url where it answers
 * @param packedCells versions of packed cells that it reads, separated by commas; empty if it is
 *     not patched
 * @param config its settings, defaults included; not to be changed
 * @param clockMs its time, to a second, milliseconds since 1970
 * @param askedMs this machine's time when it was asked for, likewise
 */
public record TsdState(
    URI url, String packedCells, Properties config, long clockMs, long askedMs) {}
