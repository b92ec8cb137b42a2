package io.packhorse.schema.packed;

/**
 * A stretch of a packed cell and what it says, for people.
 *
 * @param from index of its first byte
 * @param to index after its last; {@code from} for what takes no byte of its own
 * @param name as in format.md
 * @param meaning its value in words
 */
public record CellField(int from, int to, String name, String meaning) {}
