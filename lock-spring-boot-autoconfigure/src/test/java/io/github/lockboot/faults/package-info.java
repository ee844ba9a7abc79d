/**
 * Locks under faults, with real processes: workers use the locks while servers,
 * connections and workers are harmed, and a small model checks the history of what they
 * saw. Begin at {@link io.github.lockboot.faults.FaultRun}.
 */
@NullMarked
package io.github.lockboot.faults;

import org.jspecify.annotations.NullMarked;
