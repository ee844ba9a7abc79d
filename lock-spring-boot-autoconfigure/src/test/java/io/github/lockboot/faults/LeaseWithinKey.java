package io.github.lockboot.faults;

import java.util.stream.Stream;

/**
 * A hold does not say that its lease goes on for longer than its key lives in the store,
 * unless this has forgotten the lease.
 */
final class LeaseWithinKey implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.compared()
			.filter((compared) -> compared.leaseNanos() > compared.keyNanos())
			.map((compared) -> "A lease is longer than its key lives: " + compared);
	}

}
