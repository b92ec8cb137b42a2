/** Summaries: what hours, days and months of a series add up to. Normative text: format.md. */
@NullMarked
package io.packhorse.schema.summary;

import org.jspecify.annotations.NullMarked;
