@NullMarked
package io.github.lockboot.local;

import org.jspecify.annotations.NullMarked;
