/** Tables in delimited text. */
@NullMarked
package io.packhorse.loader.source.csv;

import org.jspecify.annotations.NullMarked;
