package io.github.lockboot.benchmarks.peer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Each peer really locks: otherwise its benchmarks would be worthless.
 */
@RedisTest
@Tag("long")
class PeersTests {

	private final RedisServer redis;

	PeersTests(RedisServer redis) {
		this.redis = redis;
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = { "BARE.*", "DATABASE_.*", "ZOOKEEPER_.*", ".*_READERS",
			".*_SEMAPHORE.*", ".*_CLUSTER.*", ".*_TRYING.*", ".*_ANNOTATED" })
	void anotherInstanceAcquiresTheLockOnlyAfterItsRelease(PeerKind kind) throws Exception {
		Exclusion.check(() -> open(kind), kind.name(), () -> {
			assertThat(this.redis.command("EXISTS", kind.keys().apply(kind.name()))).isEqualTo(1L);
			long before = scripts();
			return () -> scripts() > before;
		});
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = ".*_ANNOTATED")
	void anAnnotatedMethodHoldsTheLock(PeerKind kind) {
		String key = kind.keys().apply(kind.name());
		try (Peer peer = open(kind)) {
			peer.run(kind.name(), () -> assertThat(this.redis.command("EXISTS", key)).isEqualTo(1L));
		}
		assertThat(this.redis.command("EXISTS", key)).isEqualTo(0L);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = { ".*_READERS", ".*_SEMAPHORE.*" })
	void severalInstancesHoldItTogether(PeerKind kind) {
		try (Peer holder = open(kind); Peer other = open(kind)) {
			Runnable release = holder.acquire(kind.name());
			other.acquire(kind.name()).run();
			release.run();
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = ".*_CLUSTER.*")
	void aLockIsAcquiredAgainOnACluster(PeerKind kind) {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0)) {
			RedisServer master = cluster.masters().get(0);
			try (Peer peer = kind.open(master.uri())) {
				peer.acquire(kind.name()).run();
				peer.acquire(kind.name()).run();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = { "BARE", ".*_TRYING.*" })
	void aPeerThatTriesOnceFailsInsteadOfWaiting(PeerKind kind) {
		try (Peer holder = open(kind); Peer other = open(kind)) {
			Runnable release = holder.acquire(kind.name());
			assertThatIllegalStateException().isThrownBy(() -> other.acquire(kind.name()));
			release.run();
			other.acquire(kind.name()).run();
		}
	}

	private long scripts() {
		CommandCounts counts = this.redis.commandStats();
		return counts.of("evalsha") + counts.of("eval");
	}

	private Peer open(PeerKind kind) {
		return kind.open(this.redis.uri());
	}

}
