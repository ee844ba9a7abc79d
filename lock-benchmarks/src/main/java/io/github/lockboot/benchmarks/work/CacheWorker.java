package io.github.lockboot.benchmarks.work;

import java.io.IOException;
import java.util.Map;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.cache.CachePeer;
import io.github.lockboot.benchmarks.cache.Product;
import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * A worker with a cache of one kind.
 */
final class CacheWorker {

	private CacheWorker() {
	}

	/**
	 * Work until the standard input ends.
	 * @param arguments name of the cache, host and port of Redis
	 * @throws IOException if the standard input fails
	 */
	public static void main(String[] arguments) throws IOException {
		RedisAddress address = new RedisAddress(arguments[1], Integer.parseInt(arguments[2]));
		try (CachePeer cache = CacheKind.valueOf(arguments[0]).open(address)) {
			new Worker(tasks(cache)).work();
		}
	}

	private static Map<Job, Task> tasks(CachePeer cache) {
		CacheReads reads = new CacheReads(cache);
		OneLoad one = new OneLoad(cache);
		return Map.of(Job.THROUGHPUT, new Throughput((key) -> cache.get(key, () -> Product.example(key))), Job.READ,
				reads::timed, Job.READ_ON, reads::untimed, Job.MISS, reads::misses, Job.STAMPEDE, new Stampede(cache),
				Job.FAIL, new FailingLoads(cache), Job.HANG, one::hang, Job.WANT, one::want);
	}

}
