package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks on a master that is listed together with its replica.
 */
@Timeout(60)
class RedisLockTemplateStaticMasterTests {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));

	private final RedisServer master = RedisFixture.newServer();

	private final RedisServer replica = RedisFixture.newServer(RedisOptions.defaults().replicaOf(this.master));

	@AfterEach
	void close() {
		this.replica.close();
		this.master.close();
	}

	@Test
	void noCommandUsesAReplica() {
		try (RedisLockTemplate locks = template(); LockHandle lock = locks.acquire(REQUEST)) {
			assertThat(locks.inspect(lock.name()).isHeld()).isTrue();
			assertThat(this.master.command("EXISTS", "lock:{orders:42}")).isEqualTo(1L);
		}
		assertThat(this.replica.commandStats().calls()).doesNotContainKeys("evalsha", "eval", "subscribe");
	}

	@Test
	void nodesWithoutAMasterAreAnError() {
		this.master.kill();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this::template)
			.withMessageContaining("No master was found");
	}

	@Test
	void aMasterThatBecomesAReplicaGrantsNoMoreLocks() {
		try (RedisLockTemplate locks = template()) {
			this.master.command("REPLICAOF", "127.0.0.1", "1");
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.acquire(REQUEST.waitTime(Duration.ZERO)))
				.withMessageContaining("READONLY");
		}
	}

	private RedisLockTemplate template() {
		RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration(this.replica.host(),
				this.replica.port());
		nodes.addNode(this.master.host(), this.master.port());
		return new RedisLockTemplate(nodes, LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA).build(),
				RedisLockSettings.defaults(), List.of());
	}

}
