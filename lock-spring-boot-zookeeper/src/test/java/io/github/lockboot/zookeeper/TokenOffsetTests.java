package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.FileSystemUtils;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tokens of an ensemble that is new, beside a resource that knows those of Redis.
 */
@Timeout(60)
class TokenOffsetTests {

	/** Microseconds since 1970, and three digits. */
	private static final long SEEN = 1_800_000_000_123_456_789L;

	private final ZookeeperLockSettings settings = TestStores.settings().withRoot("/offset-" + UUID.randomUUID());

	private final ZookeeperLockTemplate one = new ZookeeperLockTemplate(this.settings, List.of());

	private final ZookeeperLockTemplate two = new ZookeeperLockTemplate(this.settings, List.of());

	@AfterEach
	void close() {
		this.one.close();
		this.two.close();
	}

	@Test
	void theTokensOfOtherInstancesAndLocksAreGreaterToo() {
		refuse(this.one, "order");
		long first = token(this.one, "order");
		long second = token(this.two, "order");
		assertThat(second).isGreaterThan(first);
		assertThat(token(this.one, "order")).isGreaterThan(second);
		assertThat(token(this.two, "invoice")).isGreaterThan(SEEN);
	}

	@Test
	void anInstanceThatStartsLaterKnowsTheOffset() {
		refuse(this.one, "order");
		long first = token(this.one, "order");
		try (ZookeeperLockTemplate three = new ZookeeperLockTemplate(this.settings, List.of())) {
			assertThat(token(three, "order")).isGreaterThan(first);
		}
	}

	@Test
	void aWaiterOfAnotherInstanceGetsAGreaterTokenThanTheHolderBefore() throws Exception {
		refuse(this.one, "order");
		LockRequest request = LockRequest.of("order").waitTime(Duration.ofSeconds(30));
		CompletableFuture<LockHandle> waiter;
		long first;
		try (LockHandle handle = this.one.acquire(request)) {
			first = handle.fencingToken();
			waiter = this.two.acquireAsync(request).toCompletableFuture();
			TestStores.awaitWaiting(this.one, "order", 1);
		}
		try (LockHandle handle = waiter.get(30, TimeUnit.SECONDS)) {
			assertThat(handle.fencingToken()).isGreaterThan(first);
		}
	}

	@Test
	void twoInstancesRaiseTheTokensOfOneLockTogether() {
		refuse(this.one, "order");
		refuse(this.two, "order");
		long first = token(this.one, "order");
		assertThat(first).isGreaterThan(SEEN);
		assertThat(token(this.two, "order")).isGreaterThan(first);
	}

	@Test
	void holdersThatShareALockHaveTheTokenOfTheFirstOne() {
		refuse(this.one, "order");
		LockRequest request = LockRequest.of("order").shared();
		try (LockHandle first = this.one.acquire(request); LockHandle second = this.two.acquire(request)) {
			assertThat(first.fencingToken()).isGreaterThan(SEEN);
			assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
		}
		assertThat(token(this.two, "order")).isGreaterThan(SEEN);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Timeout(120) // two starts of a server
	void tokensAreHigherThanThoseOfOthersBeforeTheEnsembleLostItsDataOrGotACopy(boolean copied, @TempDir Path copy)
			throws IOException {
		try (TestEnsemble lost = TestEnsemble.started(1)) {
			Path files = MaintainedEnsembleTests.files(lost.leader());
			FileSystemUtils.copyRecursively(files, copy);
			ZookeeperLockSettings settings = ZookeeperLockSettings.of(lost.connectString())
				.withTimeouts(Duration.ofSeconds(4), Duration.ofSeconds(4));
			long before = 0;
			try (ZookeeperLockTemplate gone = new ZookeeperLockTemplate(settings, List.of())) {
				for (int i = 0; i < 20; i++) {
					before = token(gone, "order");
				}
			}
			try (ZookeeperLockTemplate locks = new ZookeeperLockTemplate(settings, List.of())) {
				LockHandle held = locks.acquire(LockRequest.of("held"));
				if (copied) {
					EnsembleServer server = lost.leader();
					server.kill();
					FileSystemUtils.deleteRecursively(files);
					FileSystemUtils.copyRecursively(copy, files);
					server.start();
				}
				else {
					lost.leader().restartEmpty();
				}
				Awaitility.await().until(() -> !held.isHeld());
				long after = Awaitility.await()
					.ignoreExceptions()
					.until(() -> token(locks, "order"), (token) -> token > 0);
				assertThat(after).isGreaterThan(before);
			}
		}
	}

	@Test
	void aTokenThatLeavesNoRoomIsIgnored() {
		this.one.execute("order", () -> assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.one.ensureAdmitted((lock, token, shared) -> {
				throw new StaleTokenException(lock, token, Long.MAX_VALUE);
			})));
		assertThat(token(this.one, "order")).isBetween(1L, SEEN);
	}

	private static void refuse(ZookeeperLockTemplate locks, String lock) {
		locks.execute(lock, () -> assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> locks.ensureAdmitted((name, token, shared) -> {
				throw new StaleTokenException(name, token, SEEN);
			})));
	}

	private static long token(ZookeeperLockTemplate locks, String lock) {
		try (LockHandle handle = locks.acquire(LockRequest.of(lock))) {
			return handle.fencingToken();
		}
	}

}
