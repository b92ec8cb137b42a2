/** OpenMetrics and Prometheus text. */
@NullMarked
package io.packhorse.loader.source.openmetrics;

import org.jspecify.annotations.NullMarked;
