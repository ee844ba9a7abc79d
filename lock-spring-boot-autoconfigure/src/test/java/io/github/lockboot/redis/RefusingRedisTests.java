package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks on a Redis that replies with errors or restricts its users.
 */
@DependsOnRedisVersion
@Timeout(60)
class RefusingRedisTests {

	private static final String[] ALL_BUT_CHANNELS = { "~lock:*", "resetchannels", "+@all" };

	private final RedisServer redis = RedisFixture
		.newServer(RedisOptions.defaults().withUser("shop", "pw", ALL_BUT_CHANNELS));

	private final WatchedLock watched = new WatchedLock(this.redis);

	private final List<RedisLockTemplate> templates = new ArrayList<>();

	@AfterEach
	void close() {
		this.templates.forEach(RedisLockTemplate::close);
		this.redis.close();
	}

	@Test
	void aRejectedReleaseIsNotRenewedAndTheLockIsFreeAfterItsLease() {
		LockHandle lock = hearing().acquire(WatchedLock.once().leaseTime(Duration.ofSeconds(3)));
		this.redis.command("ACL", "SETUSER", "default", "-del");
		lock.close();
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.redis.commandsDuring(this.watched::awaitNothingLeft).of("pexpire")).isZero();
	}

	@Test
	void aReleaseThatIsRejectedForATimeSucceedsBeforeItsLeaseEnds() {
		LockHandle lock = hearing().acquire(WatchedLock.once());
		this.redis.command("ACL", "SETUSER", "default", "-del");
		lock.close();
		assertThat(this.watched.owner()).isNotEqualTo("null");
		this.redis.command("ACL", "SETUSER", "default", "+del");
		this.watched.awaitNothingLeft();
	}

	@Test
	void aRejectedAcquireIsAnErrorAndLeavesNothingBehind() {
		RedisLockTemplate locks = hearing();
		this.redis.command("CONFIG", "SET", "maxmemory", "1");
		assertThat(this.redis.commandsDuring(() -> {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.acquire(WatchedLock.once()))
				.withMessageContaining("OOM");
			WatchedLock.await("one second").pollDelay(Duration.ofSeconds(1)).until(() -> true);
		}).of("evalsha")).isOne();
	}

	@Test
	void aHolderKeepsAndReleasesItsLockWithoutMemory() {
		LockHandle lock = hearing().acquire(WatchedLock.once().leaseTime(Duration.ofSeconds(6)));
		this.redis.command("CONFIG", "SET", "maxmemory", "1");
		long before = this.watched.token();
		WatchedLock.await("renewal").until(() -> this.watched.token() > before);
		lock.close();
		assertThat(this.watched.owner()).isEqualTo("null");
		assertThat(this.watched.token()).isEqualTo(lock.fencingToken() / 1000);
	}

	@Test
	void aWaiterThatMayNotSubscribeAcquiresTheLock() throws Exception {
		LockHandle held = hearing().acquire(WatchedLock.patiently());
		CompletableFuture<LockHandle> waiter = later(withoutChannels());
		this.watched.awaitWaiting(1);
		held.close();
		waiter.get(15, TimeUnit.SECONDS).close();
		this.watched.awaitNothingLeft();
	}

	@Test
	void aWaiterThatCouldNotBeNotifiedAcquiresTheLockByRetrying() throws Exception {
		LockHandle held = withoutChannels().acquire(WatchedLock.patiently());
		CompletableFuture<LockHandle> waiter = later(hearing());
		this.watched.awaitWaiting(1);
		String owner = this.watched.waiting().get(0);
		held.close();
		assertThat(this.watched.owner()).isEqualTo(owner);
		LockHandle next = waiter.get(15, TimeUnit.SECONDS);
		assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
		next.close();
		this.watched.awaitNothingLeft();
	}

	@Test
	void aWaiterWhosePermissionToSubscribeIsRevokedAcquiresTheLock() throws Exception {
		this.redis.command("ACL", "SETUSER", "hearing", "on", ">pw", "~lock:*", "resetchannels", "&lock:*", "+@all");
		LockHandle held = hearing().acquire(WatchedLock.patiently());
		CompletableFuture<LockHandle> waiter = later(template(Applications.of(this.redis, "hearing", "pw")));
		this.watched.awaitWaiting(1);
		this.redis.command("ACL", "SETUSER", "hearing", "resetchannels");
		held.close();
		waiter.get(15, TimeUnit.SECONDS).close();
		this.watched.awaitNothingLeft();
	}

	private static CompletableFuture<LockHandle> later(RedisLockTemplate template) {
		LockRequest request = WatchedLock.patiently();
		return template.acquireAsync(request).toCompletableFuture();
	}

	private RedisLockTemplate hearing() {
		return template(Applications.of(this.redis));
	}

	private RedisLockTemplate withoutChannels() {
		return template(Applications.of(this.redis, "shop", "pw"));
	}

	private RedisLockTemplate template(LettuceConnectionFactory application) {
		RedisLockTemplate template = new RedisLockTemplate(application, WatchedLock.SETTINGS, List.of());
		this.templates.add(template);
		return template;
	}

}
