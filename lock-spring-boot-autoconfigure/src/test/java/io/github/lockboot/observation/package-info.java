@NullMarked
package io.github.lockboot.observation;

import org.jspecify.annotations.NullMarked;
