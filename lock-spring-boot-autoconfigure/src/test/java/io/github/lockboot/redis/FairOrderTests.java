package io.github.lockboot.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers of three JVMs arrive one after the other, each with a number. They acquire the
 * lock in the order of their numbers.
 */
@RedisTest
@Timeout(180)
class FairOrderTests {

	private static final int JVMS = 3;

	private static final int CALLERS = 12;

	private static final LockRequest FAIR = LockRequest.of("orders:42").fair(true).waitTime(Duration.ofSeconds(120));

	private final RedisServer redis;

	FairOrderTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void callersOfThreeJvmsAreServedInTheOrderOfTheirStamps() {
		List<JvmProcess> jvms = IntStream.range(0, JVMS).mapToObj((i) -> jvm()).toList();
		jvms.forEach((jvm) -> jvm.awaitLine("^ready$"));
		try (RedisLockTemplate locks = new RedisLockTemplate(Applications.of(this.redis), RedisLockSettings.defaults(),
				List.of())) {
			LockHandle held = locks.acquire(FAIR);
			for (int stamp = 0; stamp < CALLERS; stamp++) {
				jvms.get(stamp % JVMS).send("" + stamp);
				awaitQueued(stamp + 1);
			}
			held.close();
		}
		List<Served> served = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			served.add(Served.read(jvms.get(i % JVMS).awaitLine("^served ")));
		}
		served.sort(Comparator.comparingLong(Served::token));
		assertThat(served).extracting(Served::stamp)
			.containsExactlyElementsOf(IntStream.range(0, CALLERS).boxed().toList());
		jvms.forEach(JvmProcess::close);
	}

	private void awaitQueued(long count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> Long.valueOf(count).equals(this.redis.command("LLEN", "lock:{orders:42}:q")));
	}

	private JvmProcess jvm() {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Callers.class, this.redis.host(),
				String.valueOf(this.redis.port()));
	}

	/** A caller that acquired the lock, with its token, which shows when. */
	private record Served(int stamp, long token) {

		static Served read(String line) {
			String[] words = line.split(" ");
			return new Served(Integer.parseInt(words[1]), Long.parseLong(words[2]));
		}

	}

	/** Starts a caller for each number that it reads. */
	static final class Callers {

		private Callers() {
		}

		public static void main(String[] args) throws IOException {
			BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
			try (RedisLockTemplate locks = new RedisLockTemplate(Applications.at(args[0], Integer.parseInt(args[1])),
					RedisLockSettings.defaults(), List.of())) {
				System.out.println("ready");
				for (String stamp = in.readLine(); stamp != null; stamp = in.readLine()) {
					String served = "served " + stamp + " ";
					locks.acquireAsync(FAIR).thenAccept((lock) -> {
						System.out.println(served + lock.fencingToken());
						lock.close();
					});
				}
			}
		}

	}

}
