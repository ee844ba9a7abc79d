package io.github.lockboot.engine;

/**
 * Names of threads for people. A virtual thread usually has none of its own.
 */
final class ThreadNames {

	private ThreadNames() {
	}

	static String of(Thread thread) {
		String name = thread.getName();
		return name.isEmpty() ? thread.toString() : name;
	}

}
