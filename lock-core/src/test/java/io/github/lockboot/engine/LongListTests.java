package io.github.lockboot.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists of more locks than a store returns at once.
 */
class LongListTests extends SteppedLocks {

	private static final List<String> NAMES = IntStream.range(0, 2500).mapToObj("order:%04d"::formatted).toList();

	@BeforeEach
	void keepLocks() {
		this.store.setNames(NAMES);
	}

	@Test
	void allLocksAreInThePagesOnce() {
		holdFrom(NAMES.get(0));
		assertThat(list(null, 1000)).isEqualTo(NAMES.subList(0, 1000));
		assertThat(list(NAMES.get(999), 1000)).isEqualTo(NAMES.subList(1000, 2000));
		assertThat(list(NAMES.get(1999), 1000)).isEqualTo(NAMES.subList(2000, 2500));
		assertThat(list(NAMES.get(2499), 1000)).isEmpty();
	}

	@Test
	void aPageIsFullEvenIfThousandsOfLocksBeforeAreFreeByThen() {
		holdFrom(NAMES.get(2100));
		assertThat(list(null, 300)).isEqualTo(NAMES.subList(2100, 2400));
	}

	private List<String> list(@Nullable String after, int limit) {
		return this.locks.list("order:*", after, limit).stream().map(LockState::name).toList();
	}

	private void holdFrom(String first) {
		this.store.onInspect((lock) -> CompletableFuture
			.completedStage(new LockState(lock, (lock.compareTo(first) < 0) ? null : "jvm:1", null, 0, 1, 0)));
	}

}
