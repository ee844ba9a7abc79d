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
	 * Run jobs until the standard input ends.
	 * @param arguments name of the cache, or names of two caches separated by a comma;
	 * address of the server
	 */
	public static void main(String[] arguments) throws IOException {
		RedisAddress address = RedisAddress.of(arguments[1]);
		String[] kinds = arguments[0].split(",");
		try (CachePeer cache = CacheKind.valueOf(kinds[0]).open(address)) {
			if (kinds.length == 1) {
				new Worker(tasks(cache)).work();
				return;
			}
			try (CachePeer other = CacheKind.valueOf(kinds[1]).open(address)) {
				new Worker(Map.of(Job.COMPARE_RATES,
						new AlternatingSlices(throughput(cache), throughput(other), "rate"), Job.COMPARE_READS,
						new AlternatingReads(new CacheReads(cache)::nanos, new CacheReads(other)::nanos)))
					.work();
			}
		}
	}

	private static Task throughput(CachePeer cache) {
		return new Throughput((key, section) -> cache.get(key, () -> Product.example(key)));
	}

	private static Map<Job, Task> tasks(CachePeer cache) {
		CacheReads reads = new CacheReads(cache);
		OneLoad one = new OneLoad(cache);
		return Map.of(Job.THROUGHPUT, throughput(cache), Job.READ, reads::timed, Job.READ_UNTIMED, reads::untimed,
				Job.MISS, reads::misses, Job.STAMPEDE, new Stampede(cache), Job.FAIL, new FailingLoads(cache), Job.HANG,
				one::hang, Job.READ_ONE, one::read);
	}

}
