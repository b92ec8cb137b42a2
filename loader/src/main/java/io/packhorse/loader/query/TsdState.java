package io.packhorse.loader.query;

import java.net.URI;
import java.util.Properties;

/**
 * Version, settings and clock of a TSD.
 *
 * @param url its address
 * @param packedCells versions of packed cells that it reads, separated by commas; empty if it is
 *     not patched
 * @param config its settings, defaults included; not to be changed
 * @param clockMs its clock in whole seconds, milliseconds since 1970
 * @param askedMs this machine's clock when it was asked, milliseconds since 1970
 */
public record TsdState(
    URI url, String packedCells, Properties config, long clockMs, long askedMs) {}
