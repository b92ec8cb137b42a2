/** Loads that survive their process: a folder each, with manifest, ledger and open hours. */
@NullMarked
package io.packhorse.loader.job;

import org.jspecify.annotations.NullMarked;
