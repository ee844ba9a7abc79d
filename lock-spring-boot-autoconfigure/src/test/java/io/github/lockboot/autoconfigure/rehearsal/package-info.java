@NullMarked
package io.github.lockboot.autoconfigure.rehearsal;

import org.jspecify.annotations.NullMarked;
