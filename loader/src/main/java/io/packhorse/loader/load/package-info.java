/**
 * Runs what commands ask for: loads, dry runs, verification, rollback, staged bulk loads. Knows no
 * command line, no exit codes and no streams of the process: settings come in as records, results
 * go out as records, what a user should read meanwhile goes to an {@link Announcer}.
 */
@NullMarked
package io.packhorse.loader.load;

import org.jspecify.annotations.NullMarked;
