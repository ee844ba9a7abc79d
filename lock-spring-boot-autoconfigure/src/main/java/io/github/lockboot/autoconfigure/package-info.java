/**
 * Properties, wiring and failure analyzers. This package depends on all other packages,
 * and no other package depends on it.
 */
@NullMarked
package io.github.lockboot.autoconfigure;

import org.jspecify.annotations.NullMarked;
