/** How a load went: samples of it, and what is made of them for people and for Prometheus. */
@NullMarked
package io.packhorse.loader.report;

import org.jspecify.annotations.NullMarked;
