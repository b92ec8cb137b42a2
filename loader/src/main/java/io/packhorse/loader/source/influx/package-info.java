/** InfluxDB's line protocol. */
@NullMarked
package io.packhorse.loader.source.influx;

import org.jspecify.annotations.NullMarked;
