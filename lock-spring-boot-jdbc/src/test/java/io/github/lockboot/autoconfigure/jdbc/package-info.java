@NullMarked
package io.github.lockboot.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
