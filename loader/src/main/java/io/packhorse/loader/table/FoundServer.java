package io.packhorse.loader.table;

/**
 * A live region server.
 *
 * @param name host and port
 * @param clockMs its time when it last reported, milliseconds since 1970
 * @param askedMs this machine's time when it was asked for, likewise
 */
public record FoundServer(String name, long clockMs, long askedMs) {}
