package io.github.lockboot.benchmarks.scenario;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;

import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.benchmarks.work.ManyLocks;

/**
 * Repeatedly asks Redis how long the leases of a worker still last.
 */
final class LeaseProbe implements AutoCloseable {

	private static final int PERIOD_MILLIS = 1000;

	private final RedisClient client;

	private final RedisAsyncCommands<String, String> commands;

	private final List<String> keys;

	private final AtomicLong leastMillis = new AtomicLong(Long.MAX_VALUE);

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private LeaseProbe(RedisAddress address, List<String> keys) {
		this.client = RedisClient.create(address.uri());
		this.commands = this.client.connect().async();
		this.keys = keys;
	}

	static LeaseProbe start(RedisAddress address, UnaryOperator<String> keys, int count) {
		LeaseProbe probe = new LeaseProbe(address,
				IntStream.range(0, count).mapToObj(ManyLocks::name).map(keys).toList());
		probe.timer.scheduleWithFixedDelay(probe::ask, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
		return probe;
	}

	/**
	 * Return the shortest remaining lease of any lock so far.
	 * @return milliseconds; negative if a lease had expired
	 */
	long leastMillis() {
		return this.leastMillis.get();
	}

	private void ask() {
		List<RedisFuture<Long>> answers = this.keys.stream().map(this.commands::pttl).toList();
		answers.forEach((answer) -> this.leastMillis.accumulateAndGet(answer.toCompletableFuture().join(), Math::min));
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
		this.client.shutdown();
	}

}
