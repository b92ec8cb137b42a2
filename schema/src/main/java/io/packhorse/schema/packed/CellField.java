package io.packhorse.schema.packed;

/**
 * A field of a packed cell, described for people.
 *
 * @param from index of its first byte
 * @param to index after its last byte; {@code from} if it has no byte of its own
 * @param name as in format.md
 * @param meaning its value as text
 */
public record CellField(int from, int to, String name, String meaning) {}
