package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestServer;

/**
 * A kind of fault.
 */
enum Fault {

	/** Kills all servers that have the lock, so that none can be replaced. */
	SERVER_KILLED(Length.ANY, each(FaultTarget::servers, TestServer::kill, TestServer::start)),

	DATA_LOST(Length.ANY, each(FaultTarget::servers, TestServer::kill, TestServer::restartEmpty)),

	SERVER_FROZEN(Length.OVER_A_LEASE, each(FaultTarget::servers, TestServer::freeze, TestServer::thaw)),

	/** Kills the master alone, until another server has replaced it. */
	MASTER_KILLED(Length.OVER_A_LEASE, untilReplaced(TestServer::kill, TestServer::start)),

	/**
	 * Freezes the master. It resumes after another server has replaced it, and does not
	 * know this yet.
	 */
	MASTER_FROZEN(Length.OVER_A_LEASE, untilReplaced(TestServer::freeze, TestServer::thaw)),

	/** Kills a majority of the servers, so that the others can't reply. */
	QUORUM_LOST(Length.ANY, each(FaultTarget::majority, TestServer::kill, TestServer::start)),

	/** Freezes a majority. The others do not know this yet, and go on to reply. */
	QUORUM_FROZEN(Length.OVER_A_LEASE, each(FaultTarget::majority, TestServer::freeze, TestServer::thaw)),

	SESSIONS_EXPIRED(Length.NONE, once((target) -> target.topology().expireSessions())),

	MASTER_SWITCHED(Length.NONE, once((target) -> target.topology().switchMaster(target.lock()))),

	SLOT_MOVED(Length.ANY, (target) -> target.topology().move(target.lock())),

	HOLDER_KILLED(Length.NONE, (target) -> kill(target, target.holder().worker())),

	HOLDER_FROZEN(Length.OVER_A_LEASE,
			each((target) -> List.of(target.holder().worker().jvm()), JvmProcess::freeze, JvmProcess::thaw)),

	WAITER_KILLED(Length.NONE, (target) -> kill(target, target.freezeWaiter())),

	WAITER_FROZEN(Length.OVER_A_LEASE, (target) -> target.freezeWaiter().jvm()::thaw),

	SUBSCRIPTIONS_CUT(Length.NONE, once((target) -> target.master().command("CLIENT", "KILL", "TYPE", "pubsub"))),

	CONNECTIONS_CUT(Length.NONE, once((target) -> target.topology().cutConnections(target.lock()))),

	SCRIPTS_FLUSHED(Length.NONE, once((target) -> target.master().command("SCRIPT", "FLUSH"))),

	OUT_OF_MEMORY(Length.ANY, setting("maxmemory", "1")),

	READ_ONLY(Length.ANY, (target) -> target.topology().makeReadOnly(target.lock())),

	TOO_FEW_REPLICAS(Length.ANY, setting("min-replicas-to-write", "5")),

	PAUSED(Length.OVER_A_LEASE, once(
			(target) -> target.master().command("CLIENT", "PAUSE", String.valueOf(FaultRun.OUTAGE.toMillis()), "ALL"))),

	CHANNELS_REVOKED(Length.ANY,
			each((target) -> target.redis().servers(),
					(server) -> server.command("ACL", "SETUSER", Topology.USER, "resetchannels"),
					(server) -> server.command("ACL", "SETUSER", Topology.USER, "allchannels"))),

	/** Restarts all servers one after the other. */
	ROLLING_RESTART(Length.NONE, once((target) -> target.topology().servers().forEach((server) -> {
		server.kill();
		server.start();
		target.topology().awaitHealthy();
	}))),

	/** Requests arrive after their timeout. */
	REQUESTS_LATE(Length.ANY,
			each((target) -> target.topology().networks(), RedisProxy::holdRequests, RedisProxy::releaseRequests)),

	/** Requests take effect, but replies arrive after the timeout. */
	ANSWERS_LATE(Length.ANY,
			each((target) -> target.topology().networks(), RedisProxy::holdAnswers, RedisProxy::releaseAnswers)),

	/** Requests take effect, but replies are lost. */
	ANSWERS_LOST(Length.ANY, each((target) -> target.topology().networks(), RedisProxy::holdAnswers, (network) -> {
		network.cut();
		network.releaseAnswers();
	})),

	/** During the outage many more locks are requested, with long leases. */
	OUTAGE_UNDER_LOAD(Length.OVER_A_LEASE, (target) -> {
		target.workers().burst();
		return SERVER_KILLED.inject(target);
	}),

	/** A transaction of somebody else has locked the rows of all locks. */
	ROWS_LOCKED(Length.OVER_A_LEASE, (target) -> target.topology().lockAllRows()),

	/** The server accepts no further connection. */
	CONNECTIONS_EXHAUSTED(Length.ANY, (target) -> target.topology().exhaustConnections()),

	TIME_ZONE_CHANGED(Length.NONE, once((target) -> target.topology().changeTimeZone()));

	private final Length length;

	private final Function<FaultTarget, Runnable> injection;

	Fault(Length length, Function<FaultTarget, Runnable> injection) {
		this.length = length;
		this.injection = injection;
	}

	/**
	 * Return the duration of faults that are injected together.
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
	 */
	boolean interruptsServers() {
		return mayFollowAnother() || changesMasters();
	}

	/**
	 * Whether this fault may be injected after one that does not interrupt Redis. It is
	 * repaired first.
	 */
	boolean mayFollowAnother() {
		return stopsAllAnswers() || this == MASTER_KILLED || this == MASTER_FROZEN || this == PAUSED
				|| this == ROLLING_RESTART;
	}

	/**
	 * Whether no server that has the lock executes a write between injection and repair.
	 */
	boolean stopsAllAnswers() {
		return switch (this) {
			case SERVER_KILLED, DATA_LOST, SERVER_FROZEN, QUORUM_LOST, QUORUM_FROZEN, OUTAGE_UNDER_LOAD, REQUESTS_LATE,
					ANSWERS_LATE, ANSWERS_LOST ->
				true;
			default -> false;
		};
	}

	/** Whether all leases of a lock are invalid after the injection. */
	boolean endsLeases() {
		return this == DATA_LOST || this == SESSIONS_EXPIRED;
	}

	/** Whether another master replaces that of the lock as planned. */
	boolean changesMasters() {
		return this == MASTER_SWITCHED || this == SLOT_MOVED;
	}

	/**
	 * Inject the fault.
	 * @return repairs the fault
	 */
	Runnable inject(FaultTarget target) {
		return this.injection.apply(target);
	}

	/** Break all victims, and repair the same ones. */
	private static <T> Function<FaultTarget, Runnable> each(Function<FaultTarget, List<? extends T>> victims,
			Consumer<T> breaks, Consumer<T> repairs) {
		return (target) -> {
			List<? extends T> broken = victims.apply(target);
			broken.forEach(breaks);
			return () -> broken.forEach(repairs);
		};
	}

	/** Break the master, and repair it after another server has replaced it. */
	private static Function<FaultTarget, Runnable> untilReplaced(Consumer<TestServer> breaks,
			Consumer<TestServer> repairs) {
		return (target) -> {
			TestServer victim = target.topology().masterOf(target.lock());
			breaks.accept(victim);
			return () -> {
				target.topology().awaitSuccessor(victim, target.lock());
				repairs.accept(victim);
			};
		};
	}

	/** Do something that needs no repair. */
	private static Function<FaultTarget, Runnable> once(Consumer<FaultTarget> action) {
		return (target) -> {
			action.accept(target);
			return () -> {
			};
		};
	}

	/** Change a setting of the master whose default is 0. */
	private static Function<FaultTarget, Runnable> setting(String name, String value) {
		return each((target) -> List.of(target.master()), (master) -> master.command("CONFIG", "SET", name, value),
				(master) -> master.command("CONFIG", "SET", name, "0"));
	}

	private static Runnable kill(FaultTarget target, Workers.WorkerProcess victim) {
		victim.jvm().kill();
		return () -> target.workers().replace(victim);
	}

	private enum Length {

		NONE, ANY, OVER_A_LEASE

	}

}
