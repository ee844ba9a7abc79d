package io.github.lockboot.cache.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

/**
 * Main class of a JVM with a cache of default settings, which reads commands:
 * {@code storm <threads> <ms>} starts callers of one entry whose load takes this time,
 * with long timeouts unless {@code defaults} follows; {@code hang} starts a load without
 * an end; {@code read <threads>} starts readers of a stored entry, and {@code report}
 * prints their loads since the last report, and how often the cache paused.
 */
final class CacheProcess {

	private static final AtomicInteger PAST = new AtomicInteger();

	private static final AtomicInteger PAUSES = new AtomicInteger();

	private CacheProcess() {
	}

	static JvmProcess start(RedisServer redis) {
		return start(redis.host(), String.valueOf(redis.port()));
	}

	static JvmProcess start(RedisCluster cluster) {
		return start(cluster.nodes().toArray(String[]::new));
	}

	private static JvmProcess start(String... servers) {
		JvmProcess process = JvmProcess.start(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), CacheProcess.class,
				servers);
		process.awaitLine("^ready$");
		return process;
	}

	public static void main(String[] args) throws IOException {
		try (RedisCacheTemplate cache = template(args, CacheFixture.PATIENT);
				RedisCacheTemplate withDefaults = template(args, RedisCacheSettings.defaults())) {
			CacheFixture.warm(cache);
			CacheFixture.warm(withDefaults);
			System.out.println("ready");
			BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				String[] words = line.split(" ");
				if (words[0].equals("storm")) {
					storm((words.length > 3) ? withDefaults : cache, Integer.parseInt(words[1]),
							Long.parseLong(words[2]));
				}
				else if (words[0].equals("read")) {
					read(withDefaults, Integer.parseInt(words[1]));
				}
				else if (words[0].equals("report")) {
					System.out.println("past the cache " + PAST.getAndSet(0) + " pauses " + PAUSES.getAndSet(0));
				}
				else {
					hang(cache);
				}
			}
		}
	}

	private static RedisCacheTemplate template(String[] servers, RedisCacheSettings settings) {
		return new RedisCacheTemplate(application(servers), settings, (name) -> CacheSettings.defaults(),
				ValueCodec.json(), Transactions.NONE, List.of(new CacheListener() {

					@Override
					public void onRedisPaused() {
						PAUSES.incrementAndGet();
					}

				}), CacheThreads.defaults());
	}

	/** Host and port of a server, or of several nodes of a cluster. */
	private static LettuceConnectionFactory application(String[] servers) {
		return servers[0].contains(":") ? new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(servers)))
				: Applications.at(servers[0], Integer.parseInt(servers[1]));
	}

	private static void storm(RedisCacheTemplate cache, int threads, long millis) {
		AtomicInteger loads = new AtomicInteger();
		AtomicInteger atOnce = new AtomicInteger();
		AtomicInteger mostAtOnce = new AtomicInteger();
		AtomicInteger right = new AtomicInteger();
		CountDownLatch start = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(threads);
		CacheLoader<String, InterruptedException> loader = () -> {
			loads.incrementAndGet();
			mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
			new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
			atOnce.decrementAndGet();
			return "value";
		};
		for (int i = 0; i < threads; i++) {
			new Thread(() -> {
				try {
					start.await();
					right.addAndGet("value".equals(cache.get(CacheFixture.PRODUCT, "hot", loader)) ? 1 : 0);
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				finally {
					end.countDown();
				}
			}).start();
		}
		start.countDown();
		try {
			end.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		System.out.println("loads " + loads + " right " + right + " at once " + mostAtOnce);
	}

	private static void read(RedisCacheTemplate cache, int threads) {
		cache.get(CacheFixture.PRODUCT, "hot", () -> "value");
		for (int i = 0; i < threads; i++) {
			Thread reader = new Thread(() -> {
				while (!Thread.interrupted()) {
					cache.get(CacheFixture.PRODUCT, "hot", () -> "past the cache " + PAST.incrementAndGet());
					LockSupport.parkNanos(1_000_000);
				}
			});
			reader.setDaemon(true);
			reader.start();
		}
	}

	private static void hang(RedisCacheTemplate cache) {
		cache.get(CacheFixture.PRODUCT, "hot", () -> {
			System.out.println("loading");
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return "never";
		});
	}

}
