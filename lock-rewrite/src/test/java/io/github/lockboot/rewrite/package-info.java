@NullMarked
package io.github.lockboot.rewrite;

import org.jspecify.annotations.NullMarked;
