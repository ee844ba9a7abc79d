package io.github.lockboot.cache.redis;

import java.util.Arrays;
import java.util.List;

import org.awaitility.Awaitility;

/**
 * Callers that wait for others.
 */
final class Waiters {

	private Waiters() {
	}

	static long count() {
		return Thread.getAllStackTraces().values().stream().filter(Waiters::isSeated).count();
	}

	/** Wait until so many threads of this JVM wait for others. */
	static void await(int count) {
		Awaitility.await().until(() -> count() >= count);
	}

	/** Wait until so many threads of this JVM wait for an answer of Redis. */
	static void awaitReplies(int count) {
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.values()
				.stream()
				.filter((stack) -> Arrays.stream(stack)
					.anyMatch((frame) -> EntryRead.class.getName().equals(frame.getClassName())
							&& "read".equals(frame.getMethodName())))
				.count() >= count);
	}

	private static boolean isSeated(StackTraceElement[] stack) {
		return Arrays.stream(stack)
			.anyMatch((frame) -> List.of(BlockingRead.class.getName(), BatchRead.class.getName())
				.contains(frame.getClassName()) && List.of("awaitOthers", "await").contains(frame.getMethodName()));
	}

}
