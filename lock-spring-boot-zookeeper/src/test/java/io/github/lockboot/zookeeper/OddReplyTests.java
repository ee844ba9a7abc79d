package io.github.lockboot.zookeeper;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes that others have created, and replies that no server sends: a request fails, and
 * nothing waits for it.
 */
@Timeout(60)
class OddReplyTests {

	private final MonotonicClock clock = Mockito.mock(MonotonicClock.class, Mockito.RETURNS_MOCKS);

	private final Session session = new Session(1, "/session", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, this.clock,
			Duration.ofSeconds(10).toNanos());

	private final AtomicInteger code = new AtomicInteger();

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			odd                          | garbage                                        | true  | true
			odd-1-x                      | null                                           | true  | true
			odd-1-x-9999999999           | garbage                                        | true  | true
			odd-1-s--9999999999          | null                                           | true  | true
			odd-99999999999-x-0000000000 | garbage                                        | true  | true
			odd-1-x-0000000000           | garbage                                        | false | false
			odd-1-x-0000000000           | null                                           | false | false
			odd-1-x-2147483647           | null                                           | false | false
			odd-1-s-0000000000           | null                                           | false | true
			odd-1-s-0000000000           | token=99999999999999999999 shared=true lease=1 | false | true
			odd-1-x-0000000000           | token=1 shared=true lease=99999999999999999999 | false | false
			""")
	void anOddNodeDisablesItsLockOnlyWhileItIsInTheQueue(String node, String data, boolean free, boolean shareable)
			throws Exception {
		SystemClock timer = new SystemClock("lock-timer");
		ZookeeperLockStore store = ZookeeperLockStore.connect(TestStores.settings(), timer);
		try (LockTemplate locks = new LockTemplate(store, timer, TestStores.defaults(), List.of())) {
			Predicate<LockRequest> acquires = (request) -> {
				LockHandle handle = locks.tryAcquire(request.waitTime(Duration.ZERO));
				if (handle != null) {
					handle.close();
				}
				return handle != null;
			};
			LockRequest request = LockRequest.of("odd:" + UUID.randomUUID()).waitTime(Duration.ofSeconds(30));
			ZooKeeper client = store.ensemble().session().client();
			String path = "/locks/lock:" + request.name() + "/" + node;
			LockHandle held = locks.acquire(request);
			client.create(path, (data != null) ? (data + "\n").getBytes(StandardCharsets.UTF_8) : null,
					ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			held.close();
			assertThat(acquires.test(request)).isEqualTo(free);
			assertThat(acquires.test(request.shared())).isEqualTo(shareable);
			assertThat(locks.inspect(request.name()).isHeld()).isEqualTo(!free);
			CompletableFuture<LockHandle> waiting = locks.acquireAsync(request).toCompletableFuture();
			client.delete(path, -1);
			waiting.get(30, TimeUnit.SECONDS).close();
			assertThat(List.of(request, request.shared())).allMatch(acquires);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 12345, 0 })
	void aReplyWithAnUnknownCodeOrWithoutItsValueCompletesTheRequest(int code) {
		this.session.start(Mockito.mock(ZooKeeper.class, this::reply));
		TokenOffset unread = new TokenOffset("/unread");
		TokenOffset read = new TokenOffset("/read");
		this.code.set(Code.NONODE.intValue());
		read.read(this.session);
		this.code.set(code);
		unread.read(this.session);
		Ensemble ensemble = new Ensemble(
				TestStores.settings().withAuth("digest:shop:secret", ZookeeperLockSettings.Acl.CREATOR), (builder) -> {
				}, this.clock, "shop", Mockito.mock(Ensemble.Listener.class));
		Map<String, CompletableFuture<?>> replies = Map.of("create",
				this.session.create("/a", new byte[0], CreateMode.EPHEMERAL), "multi",
				this.session.createInContainer("/a", "/a/b", new byte[0], CreateMode.EPHEMERAL), "getChildren",
				this.session.children("/a"), "sync", this.session.latestChildren("/b"), "getData",
				this.session.data("/a", true), "setData", this.session.setData("/a", new byte[0]), "delete",
				this.session.delete("/a"), "getACL", ensemble.checkRights(this.session, "/a"), "offset",
				unread.raise(this.session, 1, Long.MAX_VALUE), "raise", read.raise(this.session, 1, Long.MAX_VALUE));
		assertThat(replies).allSatisfy((request, reply) -> {
			assertThat(reply).isDone();
			if (code != 0) {
				assertThat(reply).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("code:12345");
			}
		});
	}

	/** Call the callback of a request; the client only logs what it throws. */
	private Object reply(InvocationOnMock request) throws Throwable {
		for (Object argument : request.getArguments()) {
			if (argument instanceof AsyncCallback) {
				Method callback = argument.getClass().getInterfaces()[0].getMethods()[0];
				Object[] values = new Object[callback.getParameterCount()];
				values[0] = this.code.get();
				try {
					callback.invoke(argument, values);
				}
				catch (InvocationTargetException ex) {
					assertThat(ex.getCause()).isInstanceOf(RuntimeException.class);
				}
			}
		}
		return Mockito.RETURNS_DEFAULTS.answer(request);
	}

	@Test
	void aWatchThatFailsDoesNotKeepTheEventFromTheOthers() {
		AtomicInteger called = new AtomicInteger();
		for (int i = 0; i < 2; i++) {
			this.session.watch("/a", new Session.Watching() {
				@Override
				public void changed(String path, boolean deleted) {
					called.incrementAndGet();
					throw new IllegalStateException("odd");
				}
			});
		}
		this.session.process(new WatchedEvent(EventType.NodeDeleted, KeeperState.SyncConnected, "/a"));
		assertThat(called).hasValue(2);
	}

	@ParameterizedTest
	@CsvSource({ "4000, 4500", "6000, 6005" })
	void aRenewalWaitsForOthersOnlyInTheFirstHalfOfItsLease(long afterMillis, long dueMillis) {
		Mockito.when(this.clock.nanoTime()).thenReturn(TimeUnit.MILLISECONDS.toNanos(afterMillis));
		this.session.renew(10_000);
		Mockito.verify(this.clock)
			.schedule(ArgumentMatchers.eq(TimeUnit.MILLISECONDS.toNanos(dueMillis)), ArgumentMatchers.any());
	}

}
