/** A browser without a window, for tests of the page that a TSD serves. */
@NullMarked
package io.packhorse.loader.page;

import org.jspecify.annotations.NullMarked;
