/** The packed cell, version 1: an hour of one series in one value. Normative text: format.md. */
@NullMarked
package io.packhorse.schema.packed;

import org.jspecify.annotations.NullMarked;
