package io.github.lockboot.benchmarks.scenario.database;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.benchmarks.peer.DatabaseKind;
import io.github.lockboot.benchmarks.peer.Peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Each peer really locks: otherwise its benchmarks would be worthless.
 */
class DatabasePeersTests {

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BARE")
	void anotherInstanceAcquiresTheLockOnlyAfterItsRelease(DatabaseKind kind)
			throws InterruptedException, ExecutionException, TimeoutException {
		Database database = Database.POSTGRESQL;
		AtomicBoolean released = new AtomicBoolean();
		try (Peer holder = kind.open(database.url()); Peer other = kind.open(database.url())) {
			Runnable release = holder.acquire(kind.name());
			long before = database.statements();
			CompletableFuture<Boolean> seen = CompletableFuture.supplyAsync(() -> {
				Runnable second = other.acquire(kind.name());
				boolean late = released.get();
				second.run();
				return late;
			});
			Awaitility.await("the other one has sent its request")
				.atMost(Duration.ofSeconds(30))
				.until(() -> database.statements() > before + 5);
			released.set(true);
			release.run();
			assertThat(seen.get(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void theBareStatementsLockARow() {
		try (Peer bare = DatabaseKind.BARE.open(Database.POSTGRESQL.url())) {
			bare.acquire("bare").run();
			Runnable release = bare.acquire("bare");
			assertThatIllegalStateException().isThrownBy(() -> bare.acquire("bare"));
			release.run();
		}
	}

}
