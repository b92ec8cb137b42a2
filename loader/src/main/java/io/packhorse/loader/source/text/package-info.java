/**
 * What all text formats share: reading chunks of text, finding records and parsing them in
 * parallel.
 */
@NullMarked
package io.packhorse.loader.source.text;

import org.jspecify.annotations.NullMarked;
