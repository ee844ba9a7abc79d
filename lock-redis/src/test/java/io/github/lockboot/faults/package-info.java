/**
 * Tests of the locks under faults: worker processes use the locks while faults of
 * servers, connections and workers are injected, and rules check the recorded history.
 * Start at {@link io.github.lockboot.faults.FaultRun}.
 */
@NullMarked
package io.github.lockboot.faults;

import org.jspecify.annotations.NullMarked;
