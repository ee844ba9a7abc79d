package io.github.lockboot.rolling;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances of an earlier version and of this one work together while an application is
 * deployed. Runs in the profile {@code rolling} only, which needs the paths of the
 * earlier version's jars.
 */
@RedisTest
@Tag("rolling")
class RollingDeploymentTests {

	private static final String PREVIOUS = "lockboot.previous";

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private final RedisServer redis;

	RollingDeploymentTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void versionsShareLocksAndCacheWhileOneIsReplacedByTheOther() {
		try (JvmProcess old = earlier();
				JvmProcess another = earlier();
				JvmProcess first = current();
				JvmProcess second = current()) {
			List<JvmProcess> all = List.of(old, another, first, second);
			all.forEach((member) -> member.awaitLine("^uses ", LIMIT));
			assertThat(old.output())
				.noneMatch((line) -> line.startsWith("uses ") && line.endsWith(place(LockOperations.class)));
			all.forEach((member) -> member.awaitLine("^sections 500$", LIMIT));
			stop(old);
			Stream.of(another, first, second).forEach((member) -> member.awaitLine("^sections 1000$", LIMIT));
			stop(another);
			Stream.of(first, second).forEach((member) -> member.awaitLine("^sections 1500$", LIMIT));
			stop(first);
			stop(second);
			assertThat(all.stream()
				.flatMap((member) -> member.output().stream())
				.filter((line) -> line.contains("violation"))).isEmpty();
		}
	}

	private void stop(JvmProcess member) {
		member.send("stop");
		member.awaitLine("^ended$", LIMIT);
	}

	private JvmProcess current() {
		return start(System.getProperty("java.class.path"));
	}

	private JvmProcess earlier() {
		String jars = System.getProperty(PREVIOUS, "");
		assertThat(jars).as("-D%s=<jars of an earlier version>", PREVIOUS).isNotEmpty();
		assertThat(Stream.of(jars.split(File.pathSeparator))).allMatch((jar) -> Files.exists(Path.of(jar)));
		List<String> replaced = Stream.of(LockOperations.class, CacheOperations.class)
			.map((type) -> Path.of(URI.create(place(type))).toString())
			.toList();
		return start(Stream
			.concat(Stream.of(jars),
					Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
						.filter((element) -> !replaced.contains(Path.of(element).toAbsolutePath().toString())))
			.collect(Collectors.joining(File.pathSeparator)));
	}

	private JvmProcess start(String classPath) {
		return JvmProcess.start(List.of("-cp", classPath, "-Xmx256m", "-XX:TieredStopAtLevel=1"), Member.class,
				"--spring.data.redis.host=" + this.redis.host(), "--spring.data.redis.port=" + this.redis.port(),
				"--spring.main.web-application-type=none", "--spring.main.banner-mode=off",
				"--logging.level.root=WARN");
	}

	private static String place(Class<?> type) {
		return type.getProtectionDomain().getCodeSource().getLocation().toString();
	}

	/**
	 * An instance of an application that uses only the public API, so that it runs with
	 * an earlier version as well. Inside its sections it counts the concurrent holders in
	 * Redis. It prints the number of its sections and each violation, and ends when its
	 * standard input ends.
	 */
	static final class Member {

		private static final int THREADS = 3;

		private static final LockRequest PATIENT = LockRequest.of("one").waitTime(Duration.ofMinutes(1));

		private static final CacheSpec<Long> ROWS = CacheSpec.of("rows", Long.class);

		private final LockOperations locks;

		private final CacheOperations cache;

		private final StringRedisTemplate redis;

		private final AtomicInteger sections = new AtomicInteger();

		private volatile boolean running = true;

		private Member(ConfigurableApplicationContext context) {
			this.locks = context.getBean(LockOperations.class);
			this.cache = context.getBean(CacheOperations.class);
			this.redis = context.getBean(StringRedisTemplate.class);
		}

		public static void main(String[] args) throws Exception {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).run(args)) {
				new Member(context).work();
			}
			System.out.println("ended");
		}

		private void work() throws IOException, InterruptedException {
			System.out.println("uses " + LockOperations.class.getProtectionDomain().getCodeSource().getLocation());
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				Thread thread = new Thread(this::run);
				thread.start();
				threads.add(thread);
			}
			BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
			while (!"stop".equals(in.readLine())) {
				// there is only one command
			}
			this.running = false;
			for (Thread thread : threads) {
				thread.join();
			}
		}

		private void run() {
			while (this.running) {
				try {
					switch (ThreadLocalRandom.current().nextInt(8)) {
						case 0, 1 -> alone("one", PATIENT);
						case 2 -> alone("one", PATIENT.fair(true));
						case 3 -> alone("one", LockRequest.allOf("one", "two").waitTime(Duration.ofMinutes(1)));
						case 4 -> alone("shelf", PATIENT.name("shelf"));
						case 5 -> shared();
						case 6 -> permit();
						default -> row();
					}
				}
				catch (RuntimeException ex) {
					System.out.println("violation: " + ex);
				}
				int had = this.sections.incrementAndGet();
				if (had % 50 == 0) {
					System.out.println("sections " + had);
				}
			}
		}

		/** There is no other holder, and the token is greater than the last one. */
		private void alone(String name, LockRequest request) {
			try (LockHandle lock = this.locks.acquire(request)) {
				expect(enter(name) == 1 && inside("readers of " + name) == 0, "not alone in " + name);
				if (request.names().size() == 1) {
					String last = this.redis.opsForValue()
						.getAndSet("token of " + name, Long.toString(lock.fencingToken()));
					expect(last == null || Long.parseLong(last) < lock.fencingToken(),
							"the token of " + name + " went back");
				}
				leave(name);
			}
		}

		private void shared() {
			try (LockHandle lock = this.locks.acquire(PATIENT.name("shelf").shared())) {
				enter("readers of shelf");
				expect(lock.isHeld() && inside("shelf") == 0, "a writer beside a reader");
				leave("readers of shelf");
			}
		}

		private void permit() {
			try (LockHandle lock = this.locks.acquire(PATIENT.name("printers").permits(2))) {
				expect(lock.isHeld() && enter("printers") <= 2, "more than two permits");
				leave("printers");
			}
		}

		/**
		 * The cache returns a value that is at least as new as the last completed change.
		 */
		private void row() {
			int key = ThreadLocalRandom.current().nextInt(5);
			if (ThreadLocalRandom.current().nextInt(4) == 0) {
				Long value = this.redis.opsForValue().increment("row " + key);
				this.cache.evict(CacheEviction.of(ROWS.name(), key));
				this.redis.opsForValue().set("changed " + key, String.valueOf(value));
				return;
			}
			long changed = number("changed " + key);
			Long read = this.cache.get(ROWS, key, () -> number("row " + key));
			expect(read != null && read >= changed, "row " + key + " was " + read + " after " + changed);
		}

		private long number(String key) {
			String value = this.redis.opsForValue().get(key);
			return (value != null) ? Long.parseLong(value) : 0;
		}

		private long enter(String name) {
			return this.redis.<String, String>opsForHash().increment("inside", name, 1);
		}

		private void leave(String name) {
			this.redis.<String, String>opsForHash().increment("inside", name, -1);
		}

		private long inside(String name) {
			String value = this.redis.<String, String>opsForHash().get("inside", name);
			return (value != null) ? Long.parseLong(value) : 0;
		}

		private static void expect(boolean right, String violation) {
			if (!right) {
				System.out.println("violation: " + violation);
			}
		}

		@Configuration(proxyBeanMethods = false)
		@EnableAutoConfiguration
		static class Application {

		}

	}

}
