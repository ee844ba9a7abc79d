package io.github.lockboot.leader;

import java.time.Duration;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.engine.TwoInstances;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of {@link LeaderElection} with any store.
 */
@Timeout(60)
public abstract class LeaderElectionContract extends TwoInstances {

	private final String role = "contract-" + UUID.randomUUID();

	private LeaderElection first;

	private LeaderElection second;

	@BeforeEach
	void electTheFirst() {
		Duration lease = isLeaseOfLock() ? Duration.ofSeconds(3) : null;
		this.first = LeaderElection.of(this.locks, this.role, lease);
		this.second = LeaderElection.of(this.otherLocks, this.role, lease);
		this.first.start();
	}

	@AfterEach
	void resign() {
		this.first.close();
		this.second.close();
	}

	@Test
	void anotherInstanceLeadsOnceTheLeaderHasResigned() {
		long token = awaitLeader(this.first, 0);
		this.second.start();
		Awaitility.await().until(() -> !this.otherLocks.activity().waiting().isEmpty());
		assertThat(this.second.isLeader()).isFalse();
		this.first.stop();
		assertThat(this.first.isLeader()).isFalse();
		awaitLeader(this.second, token);
	}

	@Test
	void aLeaderThatHasLostItsLockIsACandidateAgain() {
		long token = awaitLeader(this.first, 0);
		this.otherLocks.forceRelease("leader:" + this.role);
		awaitLeader(this.first, token);
	}

	/** Wait until an instance leads, and return its token. */
	private static long awaitLeader(LeaderElection election, long formerToken) {
		return Awaitility.await().until(() -> {
			Leadership leadership = election.leadership();
			return (leadership != null) ? leadership.fencingToken() : 0;
		}, (token) -> token > formerToken);
	}

}
