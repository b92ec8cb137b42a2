/** Judges what was found of a cluster and its TSDs: what is well, what is not, what to do. */
@NullMarked
package io.packhorse.loader.doctor;

import org.jspecify.annotations.NullMarked;
