/** The command line: options, wiring, exit codes. */
@NullMarked
package io.packhorse.loader.cli;

import org.jspecify.annotations.NullMarked;
