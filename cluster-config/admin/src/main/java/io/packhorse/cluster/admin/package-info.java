/** Commands that playbooks run on a cluster: each prints plain text and returns an exit code. */
@NullMarked
package io.packhorse.cluster.admin;

import org.jspecify.annotations.NullMarked;
