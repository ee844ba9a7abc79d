package io.github.lockboot.redis;

/**
 * The names of a lock's keys in Redis. The whole name of the lock is the hash tag, so
 * that all keys of one lock lie in one slot of a cluster.
 */
final class LockKeys {

	private LockKeys() {
	}

	/**
	 * Return the keys of a lock in the order in which every script expects them.
	 * @param prefix prefix of all locks
	 * @param lock name of the lock
	 * @return the lock itself and its fencing token
	 */
	static String[] of(String prefix, String lock) {
		String key = prefix + "{" + tag(lock) + "}";
		return new String[] { key, key + ":f" };
	}

	/**
	 * A tag that begins with the closing brace would be empty, and the keys would be
	 * scattered: such a name gets a backslash in front, and so does one that begins with
	 * a backslash, so that no two names meet.
	 */
	private static String tag(String lock) {
		char first = lock.charAt(0);
		return (first == '}' || first == '\\') ? "\\" + lock : lock;
	}

}
