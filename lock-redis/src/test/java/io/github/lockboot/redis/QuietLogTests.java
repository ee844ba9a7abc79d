package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks without problems log nothing. The application runs in a separate JVM, where no
 * other test logs.
 */
@RedisTest
class QuietLogTests {

	private static final Duration LIMIT = Duration.ofMinutes(4);

	private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1",
			"-Dlogback.configurationFile=io/github/lockboot/faults/worker-logback.xml");

	private final RedisServer redis;

	QuietLogTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void aBusyRunLogsNothing() {
		try (JvmProcess process = JvmProcess.start(OPTIONS, BusyRun.class, this.redis.host(),
				String.valueOf(this.redis.port()))) {
			process.awaitLine("^800 sections$", LIMIT);
			assertThat(process.awaitExit(LIMIT)).isZero();
			assertThat(process.output()).noneMatch((line) -> line.matches(".* (INFO|WARN|ERROR) \\[.*"));
		}
	}

	/**
	 * Many threads of two templates compete for one lock, with each kind of request.
	 */
	static final class BusyRun {

		private static final int THREADS = 8;

		private static final int SECTIONS = 100;

		private static final LockRequest ORDER = WatchedLock.patiently().waitTime(Duration.ofMinutes(2));

		private final AtomicInteger sections = new AtomicInteger();

		private BusyRun() {
		}

		public static void main(String[] args) {
			((Logger) LoggerFactory.getLogger("io.github.lockboot")).setLevel(Level.INFO);
			new BusyRun().run(args[0], Integer.parseInt(args[1]));
		}

		private void run(String host, int port) {
			ExecutorService executor = Executors.newFixedThreadPool(THREADS);
			try (RedisLockTemplate one = template(host, port); RedisLockTemplate two = template(host, port)) {
				IntStream.range(0, THREADS)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> work((i % 2 == 0) ? one : two), executor))
					.toList()
					.forEach(CompletableFuture::join);
			}
			executor.shutdown();
			System.out.println(this.sections + " sections");
		}

		private void work(RedisLockTemplate locks) {
			for (int i = 0; i < SECTIONS; i++) {
				switch (i % 3) {
					case 0 -> locks.execute(ORDER, this::count);
					case 1 -> locks.execute(ORDER.shared(), () -> locks.execute(ORDER.shared(), this::count));
					default -> {
						LockHandle lock = locks.tryAcquire(ORDER.waitTime(Duration.ZERO));
						if (lock != null) {
							lock.close();
						}
						count();
					}
				}
			}
		}

		private void count() {
			this.sections.incrementAndGet();
		}

		private static RedisLockTemplate template(String host, int port) {
			return new RedisLockTemplate(Applications.at(host, port), WatchedLock.SETTINGS, List.of(new LockListener() {
			}));
		}

	}

}
