/**
 * Properties, wiring and failure analyzers. Sees all other packages; none sees it.
 */
@NullMarked
package io.github.lockboot.autoconfigure;

import org.jspecify.annotations.NullMarked;
