package io.github.lockboot.cache.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AllChangesTests {

	@Test
	void aChangeAfterFailedOnesIsMadeAndNoFailureIsLost() {
		List<String> made = new ArrayList<>();
		IllegalStateException first = new IllegalStateException("first");
		IllegalStateException second = new IllegalStateException("second");
		assertThatThrownBy(
				() -> Transactions.makeAll(Stream.of(failing(first), failing(second), () -> made.add("last"))))
			.isSameAs(first)
			.hasSuppressedException(second);
		assertThat(made).containsExactly("last");
	}

	@Test
	void aFailureThatAllChangesShareIsThrownOnce() {
		IllegalStateException shared = new IllegalStateException("shared");
		assertThatThrownBy(() -> Transactions.makeAll(Stream.of(failing(shared), failing(shared)))).isSameAs(shared)
			.hasNoSuppressedExceptions();
	}

	private static Runnable failing(RuntimeException failure) {
		return () -> {
			throw failure;
		};
	}

}
