package io.github.lockboot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The messages of a lock that was not acquired.
 */
class LockNotAcquiredExceptionTests {

	@Test
	void messageMentionsNoHolderBecauseTheLockMayBeKeptForItsMinHoldTime() {
		assertThat(new LockNotAcquiredException("orders:42", Duration.ofSeconds(2), Duration.ofMillis(700)))
			.hasMessage("Lock 'orders:42' was not acquired within 2000 ms; its lease runs for another 700 ms");
	}

	@Test
	void messageNamesTheHoldersAsFarAsTheyAreKnown() {
		LockState.Holder known = new LockState.Holder("a1:7", "shop", "shop-7f9c", 4711L, "http-1", "OrderService.pay",
				Instant.parse("2026-11-26T12:00:01.234Z"));
		assertThat(new LockNotAcquiredException("orders:42", Duration.ofSeconds(2), null,
				List.of(known, LockState.Holder.unknown("b2:8"))))
			.hasMessage("Lock 'orders:42' was not acquired within 2000 ms; held by shop-7f9c, shop, process 4711,"
					+ " OrderService.pay, thread http-1, since 2026-11-26T12:00:01Z and unknown (b2:8)");
	}

	@Test
	void messageOfARefusalNamesTheLimit() {
		assertThat(LockNotAcquiredException.tooManyWaiting("orders:42", Duration.ZERO, 100))
			.hasMessage("Lock 'orders:42' was not acquired because 100 callers of this instance wait for it already"
					+ " (max-waiting)");
	}

	@Test
	void anUnknownLeaseIsNotMentioned() {
		assertThat(new LockNotAcquiredException("orders:42", Duration.ofSeconds(2), null))
			.hasMessage("Lock 'orders:42' was not acquired within 2000 ms");
	}

}
