@NullMarked
package io.github.lockboot.simulation.mutants;

import org.jspecify.annotations.NullMarked;
