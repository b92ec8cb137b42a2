package io.packhorse.loader.read;

import java.util.List;
import java.util.Optional;

/**
 * Which rows are read.
 *
 * @param ranges at least one, rising and apart
 * @param keyPattern what {@link KeyPattern} makes; empty for all rows of the ranges
 */
public record RowSelection(List<KeyRange> ranges, Optional<String> keyPattern) {}
