/** OpenTSDB's JSON. */
@NullMarked
package io.packhorse.loader.source.json;

import org.jspecify.annotations.NullMarked;
