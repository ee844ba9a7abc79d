@NullMarked
package io.github.lockboot.test.example;

import org.jspecify.annotations.NullMarked;
