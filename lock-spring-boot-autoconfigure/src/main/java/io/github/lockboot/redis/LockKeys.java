package io.github.lockboot.redis;

/**
 * The names of locks' keys in Redis. The whole name of a lock is the hash tag, so that
 * all keys of one lock lie in one slot of a cluster.
 */
final class LockKeys {

	private final String prefix;

	LockKeys(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Return the keys of a lock in the order in which every script expects them.
	 * @param lock name of the lock
	 * @return the lock itself, its fencing token, its queue, the deadlines in the queue,
	 * and those who share the lock
	 */
	String[] of(String lock) {
		String key = this.prefix + "{" + tag(lock) + "}";
		return new String[] { key, key + ":f", key + ":q", key + ":d", key + ":r" };
	}

	/**
	 * Return the name of the lock to which a key belongs.
	 * @param key the first of its keys
	 * @return its name
	 */
	String lock(String key) {
		String tag = key.substring(this.prefix.length() + 1, key.length() - 1);
		return (tag.charAt(0) == '\\') ? tag.substring(1) : tag;
	}

	/**
	 * Return what the names of the JVMs' channels begin with. No lock has such a key,
	 * because every lock's key goes on with a brace.
	 * @return the prefix
	 */
	String channelPrefix() {
		return this.prefix + "inbox:";
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
