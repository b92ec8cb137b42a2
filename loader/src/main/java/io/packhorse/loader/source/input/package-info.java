/** The bytes of what is loaded: files, directories, pipes, unpacked. */
@NullMarked
package io.packhorse.loader.source.input;

import org.jspecify.annotations.NullMarked;
