/** What playbooks ask of a running cluster: one JVM a question, plain text, an exit code. */
@NullMarked
package io.packhorse.cluster.admin;

import org.jspecify.annotations.NullMarked;
