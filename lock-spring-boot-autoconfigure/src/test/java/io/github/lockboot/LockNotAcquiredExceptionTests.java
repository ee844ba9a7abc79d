package io.github.lockboot;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The message of a lock that stayed busy.
 */
class LockNotAcquiredExceptionTests {

	@Test
	void messageMentionsNoHolderBecauseTheLockMayBeKeptForItsMinHoldTime() {
		assertThat(new LockNotAcquiredException("orders:42", Duration.ofSeconds(2), Duration.ofMillis(700)))
			.hasMessage("Lock 'orders:42' was not acquired within 2000 ms; its lease runs for another 700 ms");
	}

	@Test
	void anUnknownLeaseIsNotMentioned() {
		assertThat(new LockNotAcquiredException("orders:42", Duration.ofSeconds(2), null))
			.hasMessage("Lock 'orders:42' was not acquired within 2000 ms");
	}

}
