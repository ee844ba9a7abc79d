package io.github.lockboot.leader;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A leader whose JVM dies or is frozen.
 */
@RedisTest
@Timeout(90)
class LeaderJvmTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private final RedisServer redis;

	private final RedisLockTemplate locks;

	private final LeaderElection election;

	LeaderJvmTests(RedisServer redis) {
		this.redis = redis;
		this.locks = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(), List.of());
		this.election = LeaderElection.of(this.locks, "reports", LEASE);
	}

	@AfterEach
	void close() {
		this.election.close();
		this.locks.close();
	}

	@Test
	void anotherInstanceLeadsAfterTheDeathOfTheLeader() {
		try (JvmProcess leader = leader()) {
			long token = tokenOf(leader);
			this.election.start();
			leader.kill();
			awaitLeadership(token);
		}
	}

	@Test
	void aLeaderThatWasFrozenForLongerThanItsLeaseDoesNotLeadWhenItAsks() {
		try (JvmProcess leader = leader()) {
			long token = tokenOf(leader);
			this.election.start();
			leader.freeze();
			awaitLeadership(token);
			leader.send("leader?");
			leader.thaw();
			assertThat(leader.awaitLine("^leader ")).isEqualTo("leader false");
			Awaitility.await()
				.untilAsserted(() -> assertThat(leader.output()).anyMatch((line) -> line.startsWith("LeaderRevoked")));
		}
	}

	private void awaitLeadership(long formerToken) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			Leadership leadership = this.election.leadership();
			return leadership != null && leadership.fencingToken() > formerToken;
		});
	}

	private JvmProcess leader() {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Candidate.class, this.redis.host(),
				String.valueOf(this.redis.port()));
	}

	private static long tokenOf(JvmProcess leader) {
		return Long.parseLong(leader.awaitLine("^LeaderElected").replaceAll(".*fencingToken=(\\d+).*", "$1"));
	}

	/** Prints its events, and whether it leads when it is asked. */
	static final class Candidate {

		private Candidate() {
		}

		public static void main(String[] args) throws IOException {
			try (RedisLockTemplate locks = new RedisLockTemplate(Applications.at(args[0], Integer.parseInt(args[1])),
					RedisLockSettings.defaults(), List.of());
					LeaderElection election = LeaderElection.of(locks, "reports", LEASE)) {
				election.setApplicationEventPublisher(System.out::println);
				election.start();
				BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
				while (in.readLine() != null) {
					System.out.println("leader " + election.isLeader());
				}
			}
		}

	}

}
