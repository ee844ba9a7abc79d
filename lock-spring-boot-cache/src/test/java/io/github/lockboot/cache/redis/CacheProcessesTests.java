package io.github.lockboot.cache.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several JVMs and one entry.
 */
@RedisTest
@Timeout(120)
@Tag("long")
class CacheProcessesTests {

	private final RedisServer redis;

	private final List<JvmProcess> processes = new ArrayList<>();

	CacheProcessesTests(RedisServer redis) {
		this.redis = redis;
	}

	@AfterEach
	void close() {
		this.processes.forEach(JvmProcess::close);
	}

	@Test
	void aThousandCallersInThreeJvmsLoadOnceWithFewCommands() {
		IntStream.range(0, 3).forEach((i) -> this.processes.add(CacheProcess.start(this.redis)));
		List<String> reports = new ArrayList<>();
		CommandCounts counts = this.redis.commandsDuring(() -> {
			this.processes.forEach((process) -> process.send("storm 334 2000"));
			this.processes.forEach((process) -> reports.add(process.awaitLine("^loads ", Duration.ofSeconds(60))));
		});
		assertThat(reports).map((report) -> report.replaceFirst("^loads \\d+ ", ""))
			.allMatch((report) -> report.startsWith("right 334 "));
		assertThat(reports.stream().mapToInt((report) -> Integer.parseInt(report.split(" ")[1])).sum()).isOne();
		// per JVM: one epoch, renewal or repeated wait every third of the lease, and the
		// few commands of waiters
		assertThat(counts.of("evalsha")).isLessThan(3 * 20);
		// each caller that is there before the flight is open, and no caller twice
		assertThat(counts.of("get")).isLessThan(3 * (334 + 10));
	}

	@Test
	void aLoadThatOutlastsTheWaitTimeRunsAtMostOnceInEachJvm() {
		IntStream.range(0, 2).forEach((i) -> this.processes.add(CacheProcess.start(this.redis)));
		this.processes.forEach((process) -> process.send("storm 300 12000 defaults"));
		assertThat(this.processes).map((process) -> process.awaitLine("^loads ", Duration.ofSeconds(60)))
			.containsOnly("loads 1 right 300 at once 1");
	}

	/** Several times, since a busy machine may delay replies at any time. */
	@Test
	void aJvmThatStoodStillLoadsNothingPastTheCache() {
		JvmProcess jvm = CacheProcess.start(this.redis);
		this.processes.add(jvm);
		jvm.send("read 16");
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			jvm.send("report");
			jvm.awaitLine("^past the cache ");
			jvm.freeze();
			Awaitility.await().pollDelay(Duration.ofMillis(700)).until(() -> true);
			jvm.thaw();
			Awaitility.await().pollDelay(Duration.ofMillis(500)).until(() -> true);
			jvm.send("report");
			return jvm.awaitLine("^past the cache ").equals("past the cache 0 pauses 0");
		});
	}

	@Test
	void anotherCallerLoadsWhenTheLoadingJvmIsKilled() {
		JvmProcess victim = CacheProcess.start(this.redis);
		JvmProcess heir = CacheProcess.start(this.redis);
		this.processes.addAll(List.of(victim, heir));
		victim.send("hang");
		victim.awaitLine("^loading$");
		heir.send("storm 20 1");
		victim.kill();
		long death = System.nanoTime();
		assertThat(heir.awaitLine("^loads ")).isEqualTo("loads 1 right 20 at once 1");
		// the lease is 3 seconds, the wait time 10 seconds
		assertThat(Duration.ofNanos(System.nanoTime() - death)).isLessThan(Duration.ofSeconds(8));
	}

	/**
	 * Main class of a JVM with a cache of default settings, which reads commands:
	 * {@code storm <threads> <ms>} starts callers of one entry whose load takes this
	 * time, with long timeouts unless {@code defaults} follows; {@code hang} starts a
	 * load without an end; {@code read <threads>} starts readers of a stored entry, and
	 * {@code report} prints their loads since the last report, and how often the cache
	 * paused.
	 */
	static final class CacheProcess {

		private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

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
			RedisCacheSettings patient = new RedisCacheSettings("cache:", Duration.ofSeconds(30),
					Duration.ofSeconds(30));
			try (RedisCacheTemplate cache = template(args, patient);
					RedisCacheTemplate withDefaults = template(args, RedisCacheSettings.defaults())) {
				FirstConnection.await(cache);
				FirstConnection.await(withDefaults);
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
			return servers[0].contains(":")
					? new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(servers)))
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
						right.addAndGet("value".equals(cache.get(PRODUCT, "hot", loader)) ? 1 : 0);
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
			cache.get(PRODUCT, "hot", () -> "value");
			for (int i = 0; i < threads; i++) {
				Thread reader = new Thread(() -> {
					while (!Thread.interrupted()) {
						cache.get(PRODUCT, "hot", () -> "past the cache " + PAST.incrementAndGet());
						LockSupport.parkNanos(1_000_000);
					}
				});
				reader.setDaemon(true);
				reader.start();
			}
		}

		private static void hang(RedisCacheTemplate cache) {
			cache.get(PRODUCT, "hot", () -> {
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

}
