/** Build step, not shipped: unpacks the published OpenTSDB sources and applies the series. */
@NullMarked
package io.packhorse.patches;

import org.jspecify.annotations.NullMarked;
