package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.RenewReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a JVM that passes a lease on between its callers, or shares it with further ones,
 * learns that another one waits if no push tells it.
 */
class PassedLeaseTests extends SteppedEngine {

	private static final Duration UNNOTICED = Duration.ofSeconds(1);

	private static final LockRequest EXCLUSIVE = LockRequest.of("a");

	private static final LockRequest SHARED = LockRequest.of("a").shared();

	@Test
	void leaseThatIsPassedOnIsRenewedEachSecond() {
		Hold hold = passed(hold(submitted(EXCLUSIVE)));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		for (int i = 0; i < 100; i++) {
			this.clock.advance(UNNOTICED.minusNanos(1));
			hold = passed(hold);
			assertThat(this.store.takeCalls()).isEmpty();
			this.clock.advance(Duration.ofNanos(1));
			hold = passed(hold);
			assertThat(this.store.takeCalls()).containsExactly("renew");
		}
	}

	@Test
	void lockIsReleasedAtTheEndOfASectionOnceARenewalReportsAWaiter() {
		Hold hold = hold(submitted(EXCLUSIVE));
		this.store.onRenew(PassedLeaseTests::awaited);
		this.clock.advance(UNNOTICED);
		hold = passed(hold);
		submitted(EXCLUSIVE);
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew", "release", "acquire");
	}

	@ParameterizedTest
	@CsvSource({ "1, 5", LockStore.POLLED_QUEUE + ", 50" })
	void leaseIsPassedOnForALongerTurnIfAWaiterPolls(long queued, int turnMillis) {
		this.store.onAcquire(() -> CompletableFuture.completedStage(this.store.ownedReply(queued)));
		Hold hold = hold(submitted(EXCLUSIVE));
		this.clock.jump(Duration.ofMillis(turnMillis).minusNanos(1));
		hold = passed(hold);
		this.clock.jump(Duration.ofNanos(1));
		submitted(EXCLUSIVE);
		this.store.takeCalls();
		hold.close();
		assertThat(this.store.takeCalls()).containsExactly("release", "acquire");
	}

	@Test
	void leaseThatFurtherCallersShareIsRenewedEachSecond() {
		hold(submitted(SHARED));
		this.clock.advance(UNNOTICED.minusNanos(1));
		hold(submitted(SHARED));
		assertThat(this.store.takeCalls()).containsExactly("acquire");
		this.clock.advance(Duration.ofNanos(1));
		hold(submitted(SHARED));
		hold(submitted(SHARED));
		assertThat(this.store.takeCalls()).containsExactly("renew");
	}

	@Test
	void noFurtherCallerSharesALeaseOnceARenewalReportsAWaiter() {
		hold(submitted(SHARED));
		this.store.onRenew(PassedLeaseTests::awaited);
		this.clock.advance(UNNOTICED);
		hold(submitted(SHARED));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "renew");
		submitted(SHARED);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	@Test
	void storeWhoseWaitersPollIsNotAsked() {
		this.store.hideWaiters();
		Hold hold = hold(submitted(EXCLUSIVE));
		this.clock.advance(UNNOTICED);
		passed(hold);
		assertThat(this.store.takeCalls()).containsExactly("acquire");
	}

	private static CompletableFuture<RenewReply> awaited() {
		return CompletableFuture.completedFuture(new RenewReply.Renewed(Long.MAX_VALUE / 2, 1));
	}

}
