package io.github.lockboot.jdbc;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseRenewalsTests {

	@ParameterizedTest
	@EnumSource
	void leasesOfSeveralBatchesAreRenewedAtOnce(TestDatabase database) {
		try (MonotonicClock clock = new SystemClock("lock-timer");
				LockStore store = TestStores.store(database, clock)) {
			String prefix = UUID.randomUUID() + ":";
			List<LockAttempt> owners = IntStream.range(0, 1100)
				.mapToObj((i) -> new LockAttempt(prefix + i, "0e:" + i, 60_000, 1))
				.toList();
			owners.forEach((owner) -> store.acquire(owner, 0, Queueing.NO).toCompletableFuture().join());
			List<CompletableFuture<RenewReply>> replies = owners.stream()
				.map((owner) -> store.renew(owner).toCompletableFuture())
				.toList();
			assertThat(replies).allSatisfy((reply) -> assertThat(reply.join()).isInstanceOf(RenewReply.Renewed.class));
		}
	}

}
