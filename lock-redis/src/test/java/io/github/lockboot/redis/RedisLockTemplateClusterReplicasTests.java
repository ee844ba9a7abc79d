package io.github.lockboot.redis;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks of a cluster that are granted only when a replica of their master has them.
 */
@Timeout(120)
@Tag("long")
class RedisLockTemplateClusterReplicasTests extends ReplicatedClusterTests {

	private final RedisServer master = this.cluster.masters().get(1);

	private final RedisServer replica = this.cluster.replicas().get(1);

	RedisLockTemplateClusterReplicasTests() {
		super(RedisLockSettings.defaults().withMinReplicasAcknowledged(1));
	}

	@Test
	void aLockOfAnyMasterIsAtItsReplicaWhenItIsGranted() {
		for (int i = 0; i < 3; i++) {
			LockRequest request = on(this.cluster.masters().get(i));
			try (LockHandle lock = this.locks.acquire(request)) {
				assertThat(keysAt(this.cluster.replicas().get(i))).contains(key(lock.name()));
			}
		}
	}

	@Test
	void aMasterWithoutItsReplicaDelaysNoLockOfAnother() {
		LockRequest lively = on(this.cluster.masters().get(0));
		LockRequest stuck = on(this.master);
		this.replica.freeze();
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(stuck).toCompletableFuture();
		Awaitility.await().atMost(LONG).until(() -> this.master.commandStats().of("wait") > 0);
		for (int i = 0; i < 50; i++) {
			this.locks.acquire(lively).close();
		}
		assertThat(waiting).isNotDone();
		this.replica.thaw();
		waiting.join().close();
	}

	@Test
	void aLockIsGrantedByTheNewMasterOfItsSlot() {
		LockRequest request = on(this.master);
		this.locks.acquire(request).close();
		RedisServer target = this.cluster.masters().get(2);
		int slot = this.cluster.slotOf(key(request.name()));
		this.cluster.beginMove(slot, target);
		this.cluster.finishMove(slot, target);
		try (LockHandle lock = this.locks.acquire(request)) {
			assertThat(target.command("EXISTS", key(lock.name()))).isEqualTo(1L);
			assertThat(keysAt(this.cluster.replicas().get(2))).contains(key(lock.name()));
		}
	}

	private static String key(String name) {
		return "lock:{" + name + "}";
	}

	/** A replica of a cluster accepts this command, but not one for a key. */
	private static List<String> keysAt(RedisServer server) {
		List<?> keys = (List<?>) Objects.requireNonNull(server.command("KEYS", "*"));
		return keys.stream().map(String::valueOf).toList();
	}

}
