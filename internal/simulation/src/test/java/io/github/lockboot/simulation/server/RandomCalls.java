package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.redis.connection.LuaScript;

/**
 * Calls of all scripts of a lock in a random order, with arguments out of small sets: the
 * same for the same seed. With a scale of 1000 no key expires while a test runs; calls
 * that remove keys stand for that.
 */
public final class RandomCalls {

	public static final List<String> JVMS = List.of("a".repeat(16), "b".repeat(16), "c".repeat(16));

	private static final List<String> OWNERS = List.of(JVMS.get(0) + ":1", JVMS.get(0) + ":2", JVMS.get(1) + ":1",
			JVMS.get(1) + ":2", JVMS.get(2) + ":1", "foreign");

	private static final List<String> LIMITS = List.of("1", "1", "2", "2147483647");

	private final Random random;

	private final long scale;

	private final List<String> leases;

	private long micros = 1_790_000_000_000_000L;

	/** Create the calls of a seed, whose times are multiplied by a scale. */
	public RandomCalls(long seed, long scale) {
		this.random = new Random(seed);
		this.scale = scale;
		this.leases = List.of(Long.toString(1000 * scale), Long.toString(3000 * scale));
	}

	/**
	 * A call, or a command in place of what time does.
	 *
	 * @param micros the time of the call
	 * @param script {@code null} for a command
	 * @param words the arguments of the script, or the command
	 */
	public record Call(long micros, @Nullable LuaScript script, List<String> words) {

		@Override
		public String toString() {
			return this.words.toString();
		}

	}

	/** Return the next calls. */
	public List<Call> next(int count) {
		return Stream.generate(this::next).limit(count).toList();
	}

	private Call next() {
		this.micros += this.random.nextInt(4) * 700_000 * this.scale + this.random.nextInt(3);
		String channels = ShippedScripts.CHANNELS;
		String owner = any(OWNERS);
		String lease = any(this.leases);
		return switch (this.random.nextInt(16)) {
			case 0, 1, 2, 3, 4 -> call(ShippedScripts.ACQUIRE, owner, lease, any(List.of("0", token())), any(LIMITS),
					channels, position());
			case 5, 6, 7 -> call(ShippedScripts.RELEASE, owner, any(List.of("0", token())), lease, channels);
			case 8 -> renewal(owner, lease, channels);
			case 9 -> call(ShippedScripts.RENEW, owner, lease, any(List.of("0", token())), channels);
			case 10 -> call(ShippedScripts.DOWNGRADE, owner, any(List.of("0", token())), lease, channels);
			case 11 -> call(ShippedScripts.KEEP_QUEUED, any(List.of("", " polls")), owner, any(LIMITS), since(),
					any(OWNERS), any(LIMITS), since());
			case 12 -> call(ShippedScripts.INSPECT);
			case 13 -> this.random.nextInt(4) == 0 ? call(ShippedScripts.FORCE, channels)
					: call(ShippedScripts.BATCH, "rar", any(OWNERS), token(), owner, lease, token(), owner, token());
			case 14 -> new Call(this.micros, null, List.of("DEL", ShippedScripts.KEYS.get(this.random.nextInt(6))));
			default -> new Call(this.micros, null,
					any(List.of(List.of("ZREM", ShippedScripts.KEYS.get(5), owner),
							List.of("HDEL", ShippedScripts.KEYS.get(4), owner),
							List.of("SET", ShippedScripts.KEYS.get(0), owner, "NX", "PX", lease))));
		};
	}

	/** A renewal, or an extension, alone or behind that of a lock which is free. */
	private Call renewal(String owner, String lease, String channels) {
		return switch ((int) (this.micros % 4)) {
			case 0 -> call(ShippedScripts.EXTEND, OWNERS.get(0), lease, owner, lease);
			case 1 -> call(ShippedScripts.EXTEND, owner, lease);
			case 2 -> call(ShippedScripts.RENEW, owner, lease, "0", channels);
			default -> call(ShippedScripts.RENEW, owner, lease, "0");
		};
	}

	private Call call(LuaScript script, String... arguments) {
		return new Call(this.micros, script, List.of(arguments));
	}

	private String position() {
		return any(List.of("no", "tail", "tail", since(), "0", Long.toString(-900_000 * this.scale)))
				+ any(List.of("", "", "", " polls"));
	}

	private String since() {
		return Long.toString(this.micros - this.random.nextInt(5) * 1_000_000 * this.scale);
	}

	private String token() {
		return Long.toString(this.micros + this.random.nextInt(3) * 500_000L);
	}

	private <T> T any(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/** The keys of a call: those of the lock, or of several calls on it, as one batch. */
	public static List<String> keys(Call call) {
		if (call.script() == ShippedScripts.EXTEND) {
			String lock = ShippedScripts.KEYS.get(0);
			return (call.words().size() == 2) ? List.of(lock)
					: List.of("lock:{b}", lock, "lock:{b}:d", "lock:{b}:p", lock + ":d", lock + ":p");
		}
		if (call.script() != ShippedScripts.BATCH) {
			return ShippedScripts.KEYS;
		}
		List<String> keys = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			keys.addAll(ShippedScripts.KEYS.subList(0, 4));
		}
		return keys;
	}

}
