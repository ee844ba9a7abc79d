package io.github.lockboot.engine;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.StoreTraits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Requests that ask for more than the store has. */
@ExtendWith(OutputCaptureExtension.class)
class TraitsTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final FakeStore store = new FakeStore();

	@AutoClose
	private final LockTemplate locks;

	TraitsTests() {
		this.store.setTraits(new StoreTraits("a notebook", StoreTraits.Tokens.TIMES, StoreTraits.Waiting.POLLING,
				StoreTraits.Leases.LOCK, Set.of(StoreTraits.Kind.EXCLUSIVE)));
		this.locks = new LockTemplate(this.store, new SteppedClock(), LockDefaults.defaults(), List.of());
	}

	@Test
	void sharedLockIsRefusedWhereEachHasOneHolder() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.locks.acquire(ORDER.shared()))
			.withMessageStartingWith("Lock 'order' can't be shared: its store (a notebook)");
	}

	@Test
	void permitsAreRefusedWhereTheyAreNotCounted() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.locks.requireSupported(ORDER.permits(2)))
			.withMessageStartingWith("Lock 'order' can't have 2 permits: its store (a notebook)");
	}

	@Test
	void fairRequestsAreReportedOnceWhereWaitersHaveNoOrder(CapturedOutput output) {
		this.locks.requireSupported(ORDER);
		assertThat(output).doesNotContain("fair");
		this.locks.requireSupported(ORDER.fair(true));
		this.locks.acquire(ORDER.name("invoice").fair(true)).close();
		assertThat(output).containsOnlyOnce("in a notebook waiters have no order").contains("'order'");
	}

}
