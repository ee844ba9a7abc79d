package io.github.lockboot.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.lockboot.engine.SteppedClock;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;

/** Renewals whose call throws an exception, as in a cluster without a known master. */
class ExtensionsTests implements Extensions.Calls {

	@Test
	void allExtensionsFailIfTheirCallsThrowAnException() {
		SteppedClock clock = new SteppedClock();
		Extensions extensions = new Extensions(clock, this, () -> false);
		LockAttempt attempt = new LockAttempt("a", "jvm:1", 30_000, 1);
		List<CompletionStage<RenewReply>> replies = Stream.generate(() -> extensions.add(attempt, false))
			.limit(2)
			.toList();
		clock.advance(clock.untilNext());
		assertThat(replies).allSatisfy((reply) -> assertThat(reply).isCompletedExceptionally());
	}

	@Override
	public CompletionStage<List<Object>> extend(List<LockAttempt> attempts, boolean asks) {
		throw new IllegalStateException("no master");
	}

	@Override
	public CompletionStage<RenewReply> extended(LockAttempt attempt, long state) {
		throw new IllegalStateException("no reply");
	}

}
