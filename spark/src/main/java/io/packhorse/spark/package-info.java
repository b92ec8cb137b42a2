/** Loads files with Apache Spark: tasks read, pack and write HFiles; the driver does the rest. */
@NullMarked
package io.packhorse.spark;

import org.jspecify.annotations.NullMarked;
