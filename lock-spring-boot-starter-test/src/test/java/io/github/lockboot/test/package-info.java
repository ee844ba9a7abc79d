@NullMarked
package io.github.lockboot.test;

import org.jspecify.annotations.NullMarked;
