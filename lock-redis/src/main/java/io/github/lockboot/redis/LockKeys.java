package io.github.lockboot.redis;

import java.util.List;
import java.util.regex.Pattern;

import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * The keys of locks in Redis. The name of a lock is the hash tag, so all keys of one lock
 * are in one slot of a cluster.
 */
record LockKeys(String prefix) {

	/** What has a meaning in a pattern of Redis, except the asterisk. */
	private static final Pattern SPECIAL = Pattern.compile("[\\\\?\\[]");

	/**
	 * Return the keys of a lock in the order that all scripts expect: the lock, its
	 * fencing token, its queue, whether a waiter has polled, the deadlines of the
	 * waiters, and the holders that share the lock.
	 */
	String[] of(String lock) {
		String key = first(lock);
		return new String[] { key, key + ":f", key + ":q", key + ":p", key + ":d", key + ":r" };
	}

	/**
	 * Return the keys of locks to extend, and then those that show whether others wait.
	 */
	String[] toExtend(List<LockAttempt> attempts, boolean asks) {
		int count = attempts.size();
		String[] keys = new String[asks ? 3 * count : count];
		for (int i = 0; i < count; i++) {
			String key = first(attempts.get(i).lock());
			keys[i] = key;
			if (asks) {
				keys[count + 2 * i] = key + ":d";
				keys[count + 2 * i + 1] = key + ":p";
			}
		}
		return keys;
	}

	/** Return the first key of a lock. */
	String first(String lock) {
		return this.prefix + "{" + tag(lock) + "}";
	}

	/** Return the key of a JVM. As with channels, no key of a lock begins with it. */
	String instance(String instance) {
		return this.prefix + "instance:" + instance;
	}

	/** Return the name of a lock from its first key. */
	String lock(String key) {
		String tag = key.substring(this.prefix.length() + 1, key.length() - 1);
		return tag.startsWith("\\") ? tag.substring(1) : tag;
	}

	/** Return the pattern of Redis for the first keys of the locks of a pattern. */
	String glob(String locks) {
		return escaped(this.prefix).replace("*", "\\*") + "{" + escaped(tag(locks)) + "}";
	}

	private static String escaped(String text) {
		return SPECIAL.matcher(text).replaceAll("\\\\$0");
	}

	/**
	 * Return the prefix of the channels. No key of a lock begins with this prefix,
	 * because a brace follows the key prefix there.
	 */
	String channelPrefix() {
		return this.prefix + "inbox:";
	}

	/**
	 * Escape a name that begins with a closing brace, which would make the hash tag empty
	 * and distribute the keys over the slots, and a name that begins with a backslash, so
	 * that all names stay distinct.
	 */
	private static String tag(String lock) {
		char first = lock.charAt(0);
		return (first == '}' || first == '\\') ? "\\" + lock : lock;
	}

}
