/** What the TSD's own configuration says of the tables a load writes to. */
@NullMarked
package io.packhorse.loader.layout;

import org.jspecify.annotations.NullMarked;
