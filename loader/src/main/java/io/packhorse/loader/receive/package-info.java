/**
 * Takes what live clients send: parses it, writes it to a log on disk and passes it on as a source
 * of points.
 */
@NullMarked
package io.packhorse.loader.receive;

import org.jspecify.annotations.NullMarked;
