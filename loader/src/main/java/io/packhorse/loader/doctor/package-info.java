/** Checks of a cluster and its TSDs: what is wrong for a load, and what to do about it. */
@NullMarked
package io.packhorse.loader.doctor;

import org.jspecify.annotations.NullMarked;
