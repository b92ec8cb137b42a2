/** Samples of a running load, as an HTML report and in Prometheus text format. */
@NullMarked
package io.packhorse.loader.report;

import org.jspecify.annotations.NullMarked;
