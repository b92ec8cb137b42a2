/** Listens for clients and speaks their protocols. */
@NullMarked
package io.packhorse.loader.receive.net;

import org.jspecify.annotations.NullMarked;
