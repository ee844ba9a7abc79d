package io.github.lockboot.cache;

import java.util.stream.Stream;

import io.github.lockboot.Internal;

/**
 * Makes changes of which a failed one must not prevent the others, since the data have
 * changed already.
 */
@Internal
public final class AllChanges {

	private AllChanges() {
	}

	/**
	 * Make all changes in order.
	 * @throws RuntimeException the first failure, with the others as suppressed ones
	 */
	public static void make(Stream<Runnable> changes) {
		RuntimeException failure = null;
		for (Runnable change : changes.toList()) {
			try {
				change.run();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else if (failure != ex) {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
