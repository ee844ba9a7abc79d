package io.github.lockboot.cache.engine;

import java.util.Arrays;

import org.awaitility.Awaitility;

/**
 * Waits for blocked threads.
 */
final class Waiters {

	private Waiters() {
	}

	static long count() {
		return Thread.getAllStackTraces().values().stream().filter(Waiters::isWaiting).count();
	}

	/** Wait until a number of threads of this JVM wait for others. */
	static void await(int count) {
		Awaitility.await().until(() -> count() >= count);
	}

	/** Wait until a number of threads of this JVM wait for a reply of Redis. */
	static void awaitReplies(int count) {
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.values()
				.stream()
				.filter((stack) -> Arrays.stream(stack)
					.anyMatch((frame) -> isMethod(frame, "EntryRead", "whenReplied")))
				.count() >= count);
	}

	private static boolean isWaiting(StackTraceElement[] stack) {
		return Arrays.stream(stack)
			.anyMatch((frame) -> isMethod(frame, "EntryRead", "awaitOthers")
					|| isMethod(frame, "BatchRead", "awaitArrivals"));
	}

	private static boolean isMethod(StackTraceElement frame, String type, String method) {
		return frame.getClassName().endsWith("." + type) && frame.getMethodName().contains(method);
	}

}
