package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;

/**
 * A kind of harm.
 */
enum Fault {

	/** All servers that have the lock, with no time to replace any of them. */
	REDIS_KILLED(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			List<RedisServer> victims = scene.keepers();
			victims.forEach(RedisServer::kill);
			return () -> victims.forEach(RedisServer::start);
		}

	},

	DATA_LOST(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			List<RedisServer> victims = scene.keepers();
			victims.forEach(RedisServer::kill);
			return () -> victims.forEach(RedisServer::restartEmpty);
		}

	},

	REDIS_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			List<RedisServer> victims = scene.keepers();
			victims.forEach(RedisServer::freeze);
			return () -> victims.forEach(RedisServer::thaw);
		}

	},

	/** The master alone, until a replica has taken its place. */
	MASTER_KILLED(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.master();
			victim.kill();
			return () -> {
				scene.topology().awaitSuccessor(victim, scene.key());
				victim.start();
			};
		}

	},

	/** Wakes up when a replica has taken its place, and does not know yet. */
	MASTER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.master();
			victim.freeze();
			return () -> {
				scene.topology().awaitSuccessor(victim, scene.key());
				victim.thaw();
			};
		}

	},

	MASTER_SWITCHED(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.topology().switchMaster(scene.key());
			return NOTHING;
		}

	},

	SLOT_MOVED(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			return scene.topology().move(scene.key());
		}

	},

	HOLDER_KILLED(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			return kill(scene, scene.holder().member());
		}

	},

	HOLDER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			JvmProcess victim = scene.holder().member().process();
			victim.freeze();
			return victim::thaw;
		}

	},

	WAITER_KILLED(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			return kill(scene, scene.freezeWaiter());
		}

	},

	WAITER_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			return scene.freezeWaiter().process()::thaw;
		}

	},

	SUBSCRIPTIONS_CUT(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.master().command("CLIENT", "KILL", "TYPE", "pubsub");
			return NOTHING;
		}

	},

	CONNECTIONS_CUT(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.master().command("CLIENT", "KILL", "TYPE", "normal");
			return NOTHING;
		}

	},

	SCRIPTS_FLUSHED(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.master().command("SCRIPT", "FLUSH");
			return NOTHING;
		}

	},

	OUT_OF_MEMORY(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.master();
			victim.command("CONFIG", "SET", "maxmemory", "1");
			return () -> victim.command("CONFIG", "SET", "maxmemory", "0");
		}

	},

	READ_ONLY(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.master();
			victim.command("REPLICAOF", "127.0.0.1", "1");
			return () -> victim.command("REPLICAOF", "NO", "ONE");
		}

	},

	TOO_FEW_REPLICAS(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.master();
			victim.command("CONFIG", "SET", "min-replicas-to-write", "5");
			return () -> victim.command("CONFIG", "SET", "min-replicas-to-write", "0");
		}

	},

	PAUSED(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			String millis = String.valueOf(FaultRun.OUTAGE.toMillis());
			scene.master().command("CLIENT", "PAUSE", millis, "ALL");
			return NOTHING;
		}

	},

	CHANNELS_REVOKED(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			List<RedisServer> victims = scene.topology().servers();
			victims.forEach((server) -> server.command("ACL", "SETUSER", Topology.USER, "resetchannels"));
			return () -> victims.forEach((server) -> server.command("ACL", "SETUSER", Topology.USER, "allchannels"));
		}

	},

	/** All servers one after the other, each as soon as the one before is back. */
	ROLLING_RESTART(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.topology().servers().forEach((server) -> {
				server.kill();
				server.start();
				scene.topology().awaitHealthy();
			});
			return NOTHING;
		}

	},

	REPLICA_KILLED(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.replica();
			victim.kill();
			return victim::start;
		}

	},

	REPLICA_FROZEN(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			RedisServer victim = scene.replica();
			victim.freeze();
			return victim::thaw;
		}

	},

	/** What clients say arrives when they have given up. */
	REQUESTS_LATE(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisProxy network = scene.topology().network();
			network.holdRequests();
			return network::releaseRequests;
		}

	},

	/** What clients say has an effect that they hear of when they have given up. */
	ANSWERS_LATE(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisProxy network = scene.topology().network();
			network.holdAnswers();
			return network::releaseAnswers;
		}

	},

	/** What clients say has an effect that they never hear of. */
	ANSWERS_LOST(Length.ANY) {

		@Override
		Runnable strike(Scene scene) {
			RedisProxy network = scene.topology().network();
			network.holdAnswers();
			return () -> {
				network.cut();
				network.releaseAnswers();
			};
		}

	},

	/** Many more try for locks of their own meanwhile, which are leased for long. */
	OUTAGE_UNDER_LOAD(Length.OVER_A_LEASE) {

		@Override
		Runnable strike(Scene scene) {
			scene.crew().burst();
			return REDIS_KILLED.strike(scene);
		}

	},

	/** By more than a lease, for good. */
	CLOCK_AHEAD(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.master().moveClock(FaultRun.OUTAGE);
			return NOTHING;
		}

	},

	/** By more than a lease, for good: who has died keeps a lock for as long. */
	CLOCK_BEHIND(Length.NONE) {

		@Override
		Runnable strike(Scene scene) {
			scene.master().moveClock(FaultRun.OUTAGE.negated());
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
	 * Return how long faults last that are injected together.
	 * @param faults the kinds
	 * @param coin chooses where there is a choice
	 * @return the time between strikes and healings
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
	 * Whether Redis does not answer meanwhile, or another server answers afterwards.
	 * @return true if so
	 */
	boolean silencesRedis() {
		return mayComeSecond() || changesMasters();
	}

	/**
	 * Whether this fault may come after one that does not silence Redis; it has to be
	 * healed before that.
	 * @return true if so
	 */
	boolean mayComeSecond() {
		return silencesAll() || this == MASTER_KILLED || this == MASTER_FROZEN || this == PAUSED
				|| this == ROLLING_RESTART || this == REPLICA_KILLED || this == REPLICA_FROZEN;
	}

	/**
	 * Whether nobody hears from a server that has the lock from the strike to the
	 * healing.
	 * @return true if so
	 */
	boolean silencesAll() {
		return switch (this) {
			case REDIS_KILLED, DATA_LOST, REDIS_FROZEN, OUTAGE_UNDER_LOAD, REQUESTS_LATE, ANSWERS_LATE, ANSWERS_LOST ->
				true;
			default -> false;
		};
	}

	/**
	 * Whether attempts of one JVM at a {@code fair} lock get it in their order all the
	 * same.
	 * @return true if so
	 */
	boolean keepsOrderInJvms() {
		return this == SUBSCRIPTIONS_CUT || this == SCRIPTS_FLUSHED;
	}

	/**
	 * Whether all leases of a lock are over by the end of the strike.
	 * @return true if so
	 */
	boolean endsLeases() {
		return this == DATA_LOST || this == CLOCK_AHEAD;
	}

	/**
	 * Whether a lock is meant to have another master afterwards, in good order.
	 * @return true if so
	 */
	boolean changesMasters() {
		return this == MASTER_SWITCHED || this == SLOT_MOVED;
	}

	/**
	 * Do harm.
	 * @param scene what there is to harm
	 * @return heals it
	 */
	abstract Runnable strike(Scene scene);

	private static Runnable kill(Scene scene, Crew.Member victim) {
		victim.process().kill();
		return () -> scene.crew().replace(victim);
	}

	private enum Length {

		NONE, ANY, OVER_A_LEASE

	}

}
