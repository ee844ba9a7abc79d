/**
 * Auto-configuration of the fence of transactions.
 */
@NullMarked
package io.github.lockboot.autoconfigure.fencing;

import org.jspecify.annotations.NullMarked;
