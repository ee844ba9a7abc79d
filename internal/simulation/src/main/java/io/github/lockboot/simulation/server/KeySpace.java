package io.github.lockboot.simulation.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a server with their values. An expired key is gone at its next access.
 */
final class KeySpace {

	static final long FOREVER = -1;

	private Map<String, Entry> entries = new HashMap<>();

	private long nowMicros;

	/** The time of all commands until it is set again. */
	void setNowMicros(long nowMicros) {
		this.nowMicros = nowMicros;
	}

	long nowMicros() {
		return this.nowMicros;
	}

	long nowMillis() {
		return Math.floorDiv(this.nowMicros, 1000);
	}

	private @Nullable Entry entry(String key) {
		Entry entry = this.entries.get(key);
		if (entry != null && entry.expiresMillis != FOREVER && nowMillis() > entry.expiresMillis) {
			this.entries.remove(key);
			return null;
		}
		return entry;
	}

	boolean exists(String key) {
		return entry(key) != null;
	}

	@Nullable Value get(String key) {
		Entry entry = entry(key);
		return (entry != null) ? entry.value : null;
	}

	/** Return the value of a key, or another one if the key does not exist. */
	<T extends Value> T get(String key, T absent) {
		Value value = get(key);
		if (value == null) {
			return absent;
		}
		if (value.getClass() != absent.getClass()) {
			throw CommandException.wrongType();
		}
		@SuppressWarnings("unchecked")
		T typed = (T) value;
		return typed;
	}

	@Nullable String text(String key) {
		Value value = get(key);
		if (value != null && !(value instanceof Value.Text)) {
			throw CommandException.wrongType();
		}
		return (value != null) ? ((Value.Text) value).text() : null;
	}

	/** Puts a value in place of another, with the same expiry; an empty one is no key. */
	void put(String key, Value value) {
		put(key, value, expiresMillis(key));
	}

	void put(String key, Value value, long expiresMillis) {
		if (value.isEmpty()) {
			this.entries.remove(key);
		}
		else {
			this.entries.put(key, new Entry(value, expiresMillis));
		}
	}

	boolean remove(String key) {
		if (!exists(key)) {
			return false;
		}
		this.entries.remove(key);
		return true;
	}

	/** Return when a key expires; {@link #FOREVER} also if it does not exist. */
	long expiresMillis(String key) {
		Entry entry = entry(key);
		return (entry != null) ? entry.expiresMillis : FOREVER;
	}

	void expire(String key, long expiresMillis) {
		Entry entry = entry(key);
		if (entry != null && expiresMillis != FOREVER && expiresMillis <= nowMillis()) {
			remove(key);
		}
		else if (entry != null) {
			put(key, entry.value, expiresMillis);
		}
	}

	/** Return the names of all keys, sorted. */
	List<String> keys() {
		return new TreeSet<>(this.entries.keySet()).stream().filter(this::exists).toList();
	}

	void clear() {
		this.entries.clear();
	}

	Map<String, Entry> copy() {
		return new HashMap<>(this.entries);
	}

	void replace(Map<String, Entry> entries) {
		this.entries = new HashMap<>(entries);
	}

	/** Return a line for each key, by name: type, value, rest of its life in ms. */
	String dump() {
		StringBuilder dump = new StringBuilder();
		for (String key : keys()) {
			Entry entry = this.entries.get(key);
			if (entry != null) {
				dump.append(key).append(' ').append(entry.value.type()).append(' ').append(canonical(entry.value));
				if (entry.expiresMillis != FOREVER) {
					dump.append(' ').append(entry.expiresMillis - nowMillis());
				}
				dump.append('\n');
			}
		}
		return dump.toString();
	}

	private static String canonical(Value value) {
		if (value instanceof Value.Text text) {
			return '"' + text.text().replace("\n", "\\n") + '"';
		}
		if (value instanceof Value.Hash hash) {
			return new TreeMap<>(hash.fields()).toString();
		}
		if (value instanceof Value.Scored scored) {
			StringBuilder members = new StringBuilder();
			scored.inOrder()
				.forEach((member) -> members.append(member)
					.append('=')
					.append(Numbers.print(scored.scores().getOrDefault(member, 0.0)))
					.append(' '));
			return "{" + members.toString().trim() + "}";
		}
		if (value instanceof Value.Members members) {
			return new TreeSet<>(members.members()).toString();
		}
		return ((Value.Sequence) value).elements().toString();
	}

	/**
	 * A key.
	 *
	 * @param expiresMillis since 1970, or {@link #FOREVER}
	 */
	record Entry(Value value, long expiresMillis) {

	}

}
