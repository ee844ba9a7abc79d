package io.github.lockboot.cache.protocol;

import java.util.Set;

import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.protocol.Breakers.Breaker;

import static org.assertj.core.api.Assertions.assertThat;

class BreakersTests {

	private final ManualClock clock = new ManualClock();

	private final Breakers breakers = new Breakers(this.clock);

	@Test
	void aFailedServerDoesNotPauseOthers() {
		fail("a");
		assertThat(this.breakers.of("a").isOpen()).isTrue();
		assertThat(this.breakers.of("b").isOpen()).isFalse();
	}

	@Test
	void aRemovedServerIsNoLongerPaused() {
		fail("a");
		this.breakers.of("b");
		assertThat(this.breakers.removeOthers("b", () -> Set.of("b", "c"))).containsExactly(true);
		assertThat(this.breakers.of("a").isOpen()).isFalse();
	}

	@Test
	void aKnownServerIsNotRemoved() {
		fail("a");
		this.breakers.of("b");
		assertThat(this.breakers.removeOthers("b", () -> Set.of("a", "b"))).isEmpty();
		assertThat(this.breakers.of("a").isOpen()).isTrue();
	}

	@Test
	void theOnlyServerIsNotRemovedEvenThoughItHasNoName() {
		this.breakers.of("");
		assertThat(this.breakers.removeOthers("", () -> Set.of("connection 1"))).isEmpty();
	}

	@Test
	void aPendingCallToARemovedServerReportsNothing() {
		Breaker gone = this.breakers.of("a");
		this.breakers.of("b");
		this.breakers.removeOthers("b", () -> Set.of("b"));
		assertThat(gone.failed(0) || gone.failed(0) || gone.failed(0)).isFalse();
		assertThat(gone.succeeded()).isFalse();
	}

	private void fail(String server) {
		for (int i = 0; i < 3; i++) {
			this.breakers.of(server).failed(this.clock.nanoTime());
		}
	}

}
