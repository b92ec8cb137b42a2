/** What all text formats share: reading records, numbers and names, and what is no point. */
@NullMarked
package io.packhorse.loader.source.text;

import org.jspecify.annotations.NullMarked;
