/** The command line: options, wiring, what is shown and how it ends. */
@NullMarked
package io.packhorse.loader.cli;

import org.jspecify.annotations.NullMarked;
