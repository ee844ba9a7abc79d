package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.postgresql.PGConnection;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ReleaseNotificationsTests {

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final DataSource database = TestDatabase.POSTGRESQL.dataSource();

	private final LockStore holders = TestStores.store(TestDatabase.POSTGRESQL, this.clock);

	private final Queue<String> released = new ConcurrentLinkedQueue<>();

	private final LockAttempt holder = new LockAttempt("notified " + UUID.randomUUID(), "0a:1", 60_000, 1);

	private final LockAttempt waiter = new LockAttempt(this.holder.lock(), "0b:1", 60_000, 1);

	@Test
	void aReleaseNotifiesTheJvmThatWaits() {
		try (LockStore waiters = store(this.database, Duration.ofSeconds(3))) {
			acquire(this.holders, this.holder);
			awaitNotified(waiters, this.waiter);
			this.holders.release(this.holder, 0, 0);
			awaitReleased(this.holder.lock());
			assertThat(acquire(waiters, this.waiter)).isInstanceOf(AcquireReply.Owned.class);
		}
	}

	@Test
	void aDowngradeNotifiesThoseWhoWaitToShareTheLock() {
		LockAttempt sharing = new LockAttempt(this.holder.lock(), "0b:3", 60_000, 3);
		try (LockStore waiters = store(this.database, Duration.ofSeconds(3))) {
			acquire(this.holders, this.holder);
			awaitNotified(waiters, sharing);
			this.holders.downgrade(this.holder, 1);
			awaitReleased(this.holder.lock());
			assertThat(acquire(waiters, sharing)).isInstanceOf(AcquireReply.Owned.class);
		}
	}

	@Test
	void aReleaseForWhichNobodyWaitsNotifiesNobody() {
		LockAttempt unwanted = new LockAttempt("unwanted " + UUID.randomUUID(), "0a:4", 60_000, 1);
		try (LockStore waiters = store(this.database, Duration.ofSeconds(3))) {
			acquire(this.holders, unwanted);
			acquire(this.holders, this.holder);
			awaitNotified(waiters, this.waiter);
			this.holders.release(unwanted, 0, 0);
			this.holders.release(this.holder, 0, 0);
			awaitReleased(this.holder.lock());
			assertThat(this.released).containsOnly(this.holder.lock());
		}
	}

	@Test
	void aConnectionThatWasCutIsReplaced() {
		try (LockStore waiters = store(this.database, Duration.ofSeconds(3))) {
			acquire(this.holders, this.holder);
			awaitNotified(waiters, this.waiter);
			assertThat(new JdbcTemplate(this.database).queryForList(
					"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'",
					Boolean.class))
				.isNotEmpty();
			Awaitility.await("until the cut is noticed")
				.until(() -> acquire(waiters, this.waiter) instanceof AcquireReply.Busy busy && !busy.notified());
			awaitNotified(waiters, this.waiter);
			this.holders.release(this.holder, 0, 0);
			awaitReleased(this.holder.lock());
		}
	}

	@Test
	void callersPollBehindAPooler(CapturedOutput output) {
		try (LockStore waiters = store(new Pooler(this.database), Duration.ofMillis(300))) {
			acquire(this.holders, this.holder);
			Awaitility.await().until(() -> output.getAll().contains("does not deliver notifications"));
			assertThat(acquire(waiters, this.waiter)).isInstanceOfSatisfying(AcquireReply.Busy.class,
					(busy) -> assertThat(busy.notified()).isFalse());
		}
	}

	@Test
	void aNotificationThatCannotBeSentFailsNoRelease() {
		DataSource mute = new DelegatingDataSource(this.database) {

			@Override
			public Connection getConnection() throws SQLException {
				return proxy(Connection.class, super.getConnection(), (call) -> {
					if (call.getMethod().getName().equals("prepareStatement")
							&& String.valueOf(call.getArguments()[0]).contains("pg_notify")) {
						throw new SQLException("Notifications are switched off");
					}
					return call.proceed();
				});
			}

		};
		LockAttempt sharing = new LockAttempt(this.holder.lock(), "0b:3", 60_000, 3);
		try (LockStore waiters = store(this.database, Duration.ofSeconds(20));
				LockStore muted = store(mute, Duration.ofSeconds(20))) {
			acquire(this.holders, this.holder);
			// which waits for a connection
			muted.renew(this.holder).toCompletableFuture().join();
			awaitNotified(waiters, this.waiter);
			assertThat(muted.release(this.holder, 0, 0).toCompletableFuture().join()).isEqualTo(ReleaseReply.RELEASED);
			acquire(this.holders, this.holder);
			assertThat(muted.administration().forceRelease(this.holder.lock()).toCompletableFuture().join()).isTrue();
			acquire(this.holders, this.holder);
			assertThat(muted.downgrade(this.holder, 1).toCompletableFuture().join())
				.isInstanceOf(RenewReply.Renewed.class);
			muted.administration().forceRelease(this.holder.lock()).toCompletableFuture().join();
			acquire(this.holders, sharing);
			assertThat(muted.release(sharing, 0, sharing.leaseMillis()).toCompletableFuture().join())
				.isEqualTo(ReleaseReply.RELEASED);
		}
	}

	private LockStore store(DataSource dataSource, Duration timeout) {
		JdbcLockSettings settings = JdbcLockSettings.defaults().withStatementTimeout(timeout);
		LockStore store = new JdbcLockStore(dataSource, this.clock, settings, DatabaseDialect.POSTGRESQL);
		LockPushes pushes = Mockito.mock(LockPushes.class);
		Mockito.doAnswer((call) -> this.released.add(call.getArgument(0))).when(pushes).released(Mockito.any());
		store.listen(pushes);
		return store;
	}

	private static AcquireReply acquire(LockStore store, LockAttempt attempt) {
		return store.acquire(attempt, 0, Queueing.TAIL, 0).toCompletableFuture().join();
	}

	private static void awaitNotified(LockStore store, LockAttempt attempt) {
		Awaitility.await("until it is notified")
			.until(() -> acquire(store, attempt) instanceof AcquireReply.Busy busy && busy.notified());
	}

	private void awaitReleased(String lock) {
		Awaitility.await("the notification").until(() -> this.released.contains(lock));
	}

	@AfterEach
	void close() {
		this.holders.close();
		this.clock.close();
	}

	private static <T> T proxy(Class<T> type, T target, MethodInterceptor interceptor) {
		ProxyFactory proxy = new ProxyFactory(target);
		proxy.addAdvice(interceptor);
		return type.cast(proxy.getProxy());
	}

	/** A pooler, which tells its clients a number of its own as that of their session. */
	private static final class Pooler extends DelegatingDataSource {

		Pooler(DataSource server) {
			super(server);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			PGConnection pooled = proxy(PGConnection.class, connection.unwrap(PGConnection.class),
					(call) -> call.getMethod().getName().equals("getBackendPID") ? 1 : call.proceed());
			return proxy(Connection.class, connection,
					(call) -> call.getMethod().getName().equals("unwrap") ? pooled : call.proceed());
		}

	}

}
