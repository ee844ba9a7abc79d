package io.github.lockboot.redis.redlock;

import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockStores;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * Connects to all masters at once.
 */
final class RedlockConnector {

	private static final long IDLE_SECONDS = 5;

	private static final Log logger = LogFactory.getLog(RedlockConnector.class);

	private RedlockConnector() {
	}

	/**
	 * Connect to a majority at least.
	 * @param nodes how to connect to each master
	 * @param clock time and timers
	 * @param settings how each of them is used
	 * @return a store over all of them
	 * @throws LockUnavailableException if no majority can be reached and the settings do
	 * not say that it is tried again, or one server was reached by two addresses
	 */
	static LockStore connect(List<ConnectionSettings> nodes, MonotonicClock clock, RedisLockSettings settings) {
		ScheduledThreadPoolExecutor executor = newExecutor(nodes.size());
		DistinctServers reached = new DistinctServers();
		List<RedlockMember> members = nodes.stream().map((node) -> {
			String address = RedisConfiguration.getHostOrElse(node.server(), () -> "") + ":"
					+ RedisConfiguration.getPortOrElse(node.server(), () -> 0);
			return new RedlockMember(address,
					() -> RedisLockStores.connect(node, clock, settings, (server) -> reached.admit(address, server)),
					clock, executor);
		}).toList();
		LockUnavailableException problem = problemOf(members);
		if (problem != null && settings.startup() == RedisLockSettings.Startup.RETRY
				&& !(problem.getCause() instanceof DuplicateServerException)
				&& !RedisLockStores.refusesCredentials(problem)) {
			logger.warn(problem.getMessage() + "; no lock is given until they are reached, which is tried again"
					+ " (lock.redis.startup=retry)");
			problem = null;
		}
		if (problem != null) {
			members.forEach(RedlockMember::close);
			executor.shutdownNow();
			clock.close();
			throw problem;
		}
		return new RedlockStore(members, clock);
	}

	private static @Nullable LockUnavailableException problemOf(List<RedlockMember> members) {
		List<RedlockMember> missing = members.stream().filter((member) -> !member.firstTry().join()).toList();
		for (RedlockMember member : missing) {
			if (member.lastFailure() instanceof DuplicateServerException duplicate) {
				return new LockUnavailableException(null, "Redlock can't start: " + duplicate.getMessage(), duplicate);
			}
		}
		int quorum = members.size() / 2 + 1;
		if (members.size() - missing.size() >= quorum) {
			return null;
		}
		return new LockUnavailableException(null, "Fewer than " + quorum + " of the " + members.size()
				+ " Redis masters of the locks can be reached; not reached: " + missing.get(0) + " among others",
				missing.get(0).lastFailure());
	}

	/** Its threads end by themselves when all masters are connected. */
	private static ScheduledThreadPoolExecutor newExecutor(int threads) {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(threads,
				new DaemonThreads("lock-connector"));
		executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
