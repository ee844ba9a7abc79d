package io.github.lockboot.redis.quorum;

import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockClock;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockStores;

/**
 * Connects to all masters at once.
 */
final class QuorumConnector {

	private static final long IDLE_SECONDS = 5;

	private QuorumConnector() {
	}

	/**
	 * Connect to a majority at least.
	 * @param nodes how to connect to each master
	 * @param clock time and timers
	 * @param settings how each of them is used
	 * @return a store over all of them
	 * @throws LockUnavailableException if no majority can be reached
	 */
	static LockStore connect(List<LettuceConnectionFactory> nodes, LockClock clock, RedisLockSettings settings) {
		ScheduledThreadPoolExecutor executor = newExecutor(nodes.size());
		List<QuorumMember> members = nodes.stream()
			.map((node) -> new QuorumMember(node.getHostName() + ":" + node.getPort(),
					() -> RedisLockStores.connect(node, clock, settings), executor))
			.toList();
		List<Boolean> connected = members.stream().map((member) -> member.firstTry().join()).toList();
		int quorum = members.size() / 2 + 1;
		if (connected.stream().filter(Boolean::booleanValue).count() < quorum) {
			members.forEach(QuorumMember::close);
			executor.shutdownNow();
			clock.close();
			QuorumMember missing = members.get(connected.indexOf(false));
			throw new LockUnavailableException(null,
					"Fewer than " + quorum + " of the " + members.size()
							+ " Redis masters of the locks can be reached; not reached: " + missing + " among others",
					missing.lastFailure());
		}
		return new QuorumLockStore(members, clock);
	}

	/** Its threads end by themselves when all masters are connected. */
	private static ScheduledThreadPoolExecutor newExecutor(int threads) {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(threads, (task) -> {
			Thread thread = new Thread(task, "lock-connector");
			thread.setDaemon(true);
			return thread;
		});
		executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
