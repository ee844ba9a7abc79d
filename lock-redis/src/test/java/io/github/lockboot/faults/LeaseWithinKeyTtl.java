package io.github.lockboot.faults;

import java.util.stream.Stream;

/**
 * A handle never reports a lease that ends after the expiry of its key, unless the store
 * has lost the lease.
 */
final class LeaseWithinKeyTtl implements Rule {

	@Override
	public Stream<String> violations(History history) {
		return history.compared()
			.filter((compared) -> compared.leaseNanos() > compared.keyNanos())
			.map((compared) -> "A lease ends after its key expires: " + compared);
	}

}
