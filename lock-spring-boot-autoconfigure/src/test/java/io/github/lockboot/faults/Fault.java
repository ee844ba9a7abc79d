package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestServer;

/**
 * A kind of fault.
 */
enum Fault {

	/** Kills all servers that have the lock, so that none can be replaced. */
	SERVER_KILLED(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<? extends TestServer> victims = target.servers();
			victims.forEach(TestServer::kill);
			return () -> victims.forEach(TestServer::start);
		}

	},

	DATA_LOST(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<? extends TestServer> victims = target.servers();
			victims.forEach(TestServer::kill);
			return () -> victims.forEach(TestServer::restartEmpty);
		}

	},

	SERVER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			List<? extends TestServer> victims = target.servers();
			victims.forEach(TestServer::freeze);
			return () -> victims.forEach(TestServer::thaw);
		}

	},

	/** Kills the master alone, until another server has replaced it. */
	MASTER_KILLED(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			TestServer victim = target.topology().masterOf(target.lock());
			victim.kill();
			return () -> {
				target.topology().awaitSuccessor(victim, target.lock());
				victim.start();
			};
		}

	},

	/**
	 * Freezes the master. It resumes after another server has replaced it, and does not
	 * know this yet.
	 */
	MASTER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			TestServer victim = target.topology().masterOf(target.lock());
			victim.freeze();
			return () -> {
				target.topology().awaitSuccessor(victim, target.lock());
				victim.thaw();
			};
		}

	},

	/** Kills a majority of the servers, so that the others can't reply. */
	QUORUM_LOST(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<? extends TestServer> victims = target.majority();
			victims.forEach(TestServer::kill);
			return () -> victims.forEach(TestServer::start);
		}

	},

	/** Freezes a majority. The others do not know this yet, and go on to reply. */
	QUORUM_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			List<? extends TestServer> victims = target.majority();
			victims.forEach(TestServer::freeze);
			return () -> victims.forEach(TestServer::thaw);
		}

	},

	SESSIONS_EXPIRED(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.topology().expireSessions();
			return NOTHING;
		}

	},

	MASTER_SWITCHED(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.topology().switchMaster(target.lock());
			return NOTHING;
		}

	},

	SLOT_MOVED(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			return target.topology().move(target.lock());
		}

	},

	HOLDER_KILLED(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			return kill(target, target.holder().worker());
		}

	},

	HOLDER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			JvmProcess victim = target.holder().worker().jvm();
			victim.freeze();
			return victim::thaw;
		}

	},

	WAITER_KILLED(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			return kill(target, target.freezeWaiter());
		}

	},

	WAITER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			return target.freezeWaiter().jvm()::thaw;
		}

	},

	SUBSCRIPTIONS_CUT(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.master().command("CLIENT", "KILL", "TYPE", "pubsub");
			return NOTHING;
		}

	},

	CONNECTIONS_CUT(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.topology().cutConnections(target.lock());
			return NOTHING;
		}

	},

	SCRIPTS_FLUSHED(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.master().command("SCRIPT", "FLUSH");
			return NOTHING;
		}

	},

	OUT_OF_MEMORY(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			RedisServer victim = target.master();
			victim.command("CONFIG", "SET", "maxmemory", "1");
			return () -> victim.command("CONFIG", "SET", "maxmemory", "0");
		}

	},

	READ_ONLY(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			return target.topology().makeReadOnly(target.lock());
		}

	},

	TOO_FEW_REPLICAS(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			RedisServer victim = target.master();
			victim.command("CONFIG", "SET", "min-replicas-to-write", "5");
			return () -> victim.command("CONFIG", "SET", "min-replicas-to-write", "0");
		}

	},

	PAUSED(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			String millis = String.valueOf(FaultRun.OUTAGE.toMillis());
			target.master().command("CLIENT", "PAUSE", millis, "ALL");
			return NOTHING;
		}

	},

	CHANNELS_REVOKED(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<RedisServer> victims = target.redis().servers();
			victims.forEach((server) -> server.command("ACL", "SETUSER", Topology.USER, "resetchannels"));
			return () -> victims.forEach((server) -> server.command("ACL", "SETUSER", Topology.USER, "allchannels"));
		}

	},

	/** Restarts all servers one after the other. */
	ROLLING_RESTART(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.topology().servers().forEach((server) -> {
				server.kill();
				server.start();
				target.topology().awaitHealthy();
			});
			return NOTHING;
		}

	},

	/** Requests arrive after their timeout. */
	REQUESTS_LATE(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<RedisProxy> networks = target.topology().networks();
			networks.forEach(RedisProxy::holdRequests);
			return () -> networks.forEach(RedisProxy::releaseRequests);
		}

	},

	/** Requests take effect, but replies arrive after the timeout. */
	ANSWERS_LATE(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<RedisProxy> networks = target.topology().networks();
			networks.forEach(RedisProxy::holdAnswers);
			return () -> networks.forEach(RedisProxy::releaseAnswers);
		}

	},

	/** Requests take effect, but replies are lost. */
	ANSWERS_LOST(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			List<RedisProxy> networks = target.topology().networks();
			networks.forEach(RedisProxy::holdAnswers);
			return () -> networks.forEach((network) -> {
				network.cut();
				network.releaseAnswers();
			});
		}

	},

	/** During the outage many more locks are requested, with long leases. */
	OUTAGE_UNDER_LOAD(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.workers().burst();
			return SERVER_KILLED.inject(target);
		}

	},

	/** A transaction of somebody else has locked the rows of all locks. */
	ROWS_LOCKED(Length.OVER_A_LEASE) {

		@Override
		Runnable inject(FaultTarget target) {
			return target.topology().lockAllRows();
		}

	},

	/** The server accepts no further connection. */
	CONNECTIONS_EXHAUSTED(Length.ANY) {

		@Override
		Runnable inject(FaultTarget target) {
			return target.topology().exhaustConnections();
		}

	},

	TIME_ZONE_CHANGED(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.topology().changeTimeZone();
			return NOTHING;
		}

	},

	/** Sets the clock ahead by more than a lease, permanently. */
	CLOCK_AHEAD(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.master().moveClock(FaultRun.OUTAGE);
			return NOTHING;
		}

	},

	/**
	 * Sets the clock back by more than a lease, permanently: the lock of a killed holder
	 * expires later by as much.
	 */
	CLOCK_BEHIND(Length.NONE) {

		@Override
		Runnable inject(FaultTarget target) {
			target.master().moveClock(FaultRun.OUTAGE.negated());
			return NOTHING;
		}

	};

	private static final Runnable NOTHING = () -> {
	};

	private final Length length;

	Fault(Length length) {
		this.length = length;
	}

	/**
	 * Return the duration of faults that are injected together.
	 * @param faults the kinds
	 * @param coin chooses between a long and a short outage where both are possible
	 * @return the time between injection and repair
	 */
	static Duration length(List<Fault> faults, boolean coin) {
		return faults.stream().map((fault) -> fault.length(coin)).max(Duration::compareTo).orElse(Duration.ZERO);
	}

	private Duration length(boolean coin) {
		return switch (this.length) {
			case NONE -> Duration.ZERO;
			case ANY -> coin ? FaultRun.OUTAGE : FaultRun.OUTAGE.dividedBy(10);
			case OVER_A_LEASE -> FaultRun.OUTAGE;
		};
	}

	/**
	 * Whether no server replies during the fault, or another server replies afterwards.
	 * @return true if so
	 */
	boolean interruptsServers() {
		return mayFollowAnother() || changesMasters();
	}

	/**
	 * Whether this fault may be injected after one that does not interrupt Redis. It is
	 * repaired first.
	 * @return true if so
	 */
	boolean mayFollowAnother() {
		return stopsAllAnswers() || this == MASTER_KILLED || this == MASTER_FROZEN || this == PAUSED
				|| this == ROLLING_RESTART;
	}

	/**
	 * Whether no server that has the lock executes a write between injection and repair.
	 * @return true if so
	 */
	boolean stopsAllAnswers() {
		return switch (this) {
			case SERVER_KILLED, DATA_LOST, SERVER_FROZEN, QUORUM_LOST, QUORUM_FROZEN, OUTAGE_UNDER_LOAD, REQUESTS_LATE,
					ANSWERS_LATE, ANSWERS_LOST ->
				true;
			default -> false;
		};
	}

	/**
	 * Whether all leases of a lock are invalid after the injection.
	 * @return true if so
	 */
	boolean endsLeases() {
		return this == DATA_LOST || this == CLOCK_AHEAD || this == SESSIONS_EXPIRED;
	}

	/**
	 * Whether another master replaces that of the lock as planned.
	 * @return true if so
	 */
	boolean changesMasters() {
		return this == MASTER_SWITCHED || this == SLOT_MOVED;
	}

	/**
	 * Inject the fault.
	 * @param target the servers and processes
	 * @return repairs the fault
	 */
	abstract Runnable inject(FaultTarget target);

	private static Runnable kill(FaultTarget target, Workers.WorkerProcess victim) {
		victim.jvm().kill();
		return () -> target.workers().replace(victim);
	}

	private enum Length {

		NONE, ANY, OVER_A_LEASE

	}

}
