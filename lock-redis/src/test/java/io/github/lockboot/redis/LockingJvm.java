package io.github.lockboot.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.Applications;

/**
 * A JVM that a test can kill and freeze. It reads commands from standard input:
 * {@code hold} acquires the lock and prints its {@code token}, {@code use} also releases
 * it, again until it is retained; {@code held?} and {@code close} concern the lock that
 * it holds, whose loss it prints.
 */
final class LockingJvm {

	static final RedisLockSettings SETTINGS = WatchedLock.SETTINGS
		.withLockDefaults(LockDefaults.defaults().withApplication("shop"));

	private LockingJvm() {
	}

	static JvmProcess start(RedisServer redis, LockRequest request) {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), LockingJvm.class, redis.host(),
				String.valueOf(redis.port()), String.valueOf(request.leaseTime()),
				String.valueOf(request.retainTime()));
	}

	/** Let the lock be held or used, and return its token. */
	static long tokenOf(JvmProcess jvm, String command) {
		jvm.send(command);
		return awaitToken(jvm);
	}

	static long awaitToken(JvmProcess jvm) {
		return Long.parseLong(jvm.awaitLine("^token ").split(" ")[1]);
	}

	public static void main(String[] args) throws IOException {
		LockRequest request = WatchedLock.patiently().leaseTime(Duration.parse(args[2]));
		if (!args[3].equals("null")) {
			request = request.retainTime(Duration.parse(args[3]));
		}
		Deque<LockHandle> held = new ArrayDeque<>();
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		try (RedisLockTemplate locks = new RedisLockTemplate(Applications.at(args[0], Integer.parseInt(args[1])),
				SETTINGS, List.of())) {
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				switch (line) {
					case "hold" -> {
						held.push(locks.acquire(request));
						System.out.println("token " + held.element().fencingToken());
						held.element().onLost(() -> System.out.println("lost"));
					}
					case "use" -> System.out.println("token " + tokenOfAUse(locks, request));
					case "held?" -> System.out.println("held " + held.element().isHeld());
					default -> {
						held.pop().close();
						System.out.println("closed");
					}
				}
			}
		}
	}

	/** A lock is retained once the channel of its JVM is open. */
	private static long tokenOfAUse(RedisLockTemplate locks, LockRequest request) {
		long token;
		do {
			try (LockHandle hold = locks.acquire(request)) {
				token = hold.fencingToken();
			}
		}
		while (locks.inspect(request.name()).owner() == null);
		return token;
	}

}
