/** The bytes of the inputs: files, directories and pipes, decompressed. */
@NullMarked
package io.packhorse.loader.source.input;

import org.jspecify.annotations.NullMarked;
