/** Load tests: drives a store at a stated rate, with readers beside, checks and judges. */
@NullMarked
package io.packhorse.loader.loadtest;

import org.jspecify.annotations.NullMarked;
