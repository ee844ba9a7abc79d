package io.github.lockboot.simulation;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * A hash of a world that is equal for worlds with an equal future. It visits all objects
 * of this project that the world consists of. Times and tokens count by their distance
 * from the present.
 */
final class Fingerprint {

	private static final String PROJECT = "io.github.lockboot.";

	/** What is always the same, or is only told to people. */
	private static final Set<String> TYPES = Set.of("LuaMachine", "Seed", "History", "LuaScript", "RedisLockSettings",
			"LockDefaults", "StoreTraits", "ActivityLog", "OutageLog", "Warnings", "DataCommand");

	/** What counts all that has happened. */
	private static final Set<String> COUNTS = Set.of("hash", "commands", "scripts", "story", "pausedNanos", "counts",
			"changes", "numbers", "number", "tie", "steps", "ties", "sections", "shares", "warned");

	private static final int DIGITS_OF_MILLIS = 13;

	private static final int DIGITS_OF_MICROS = 16;

	private static final int DIGITS_OF_TOKENS = 19;

	/** Below that of any time. */
	private static final long LEAST_MILLIS = 1_000_000_000_000L;

	private static final long LEAST_NANOS = 400_000_000_000_000_000L;

	private final Map<Class<?>, List<Field>> fields = new HashMap<>();

	private final Map<Object, Integer> seen = new IdentityHashMap<>();

	private long nowNanos;

	private long nowMicros;

	private long hash;

	/** Return the hash of a world, and of what may still happen. */
	long of(World world, Object rest) {
		this.seen.clear();
		this.nowNanos = world.scheduler().nowNanos();
		this.nowMicros = Node.EPOCH_MICROS + this.nowNanos / 1000;
		this.hash = 0xcbf29ce484222325L;
		add(world);
		// the order in which steps were added counts within a connection or a machine
		// only
		List<Scheduler.Step> steps = new ArrayList<>(world.scheduler().pending());
		steps.sort(Comparator.comparingInt((step) -> this.seen.getOrDefault(step.line(), Integer.MAX_VALUE)));
		add(steps);
		add(rest);
		return this.hash;
	}

	private void mix(long value) {
		long mixed = (this.hash ^ value) * 0x9E3779B97F4A7C15L;
		this.hash = mixed ^ (mixed >>> 29);
	}

	private void add(@Nullable Object part) {
		if (part == null || part instanceof Thread || part instanceof Class) {
			mix(0);
		}
		else if (part instanceof String text) {
			text(text);
		}
		else if (part instanceof Number number) {
			number(number.longValue());
		}
		else if (part instanceof Boolean flag) {
			mix(flag ? 3 : 5);
		}
		else if (part instanceof Enum<?> constant) {
			mix(constant.name().hashCode());
		}
		else if (part instanceof Instant instant) {
			number(instant.toEpochMilli());
		}
		else {
			Integer known = this.seen.putIfAbsent(part, this.seen.size());
			if (known != null) {
				mix(known);
			}
			else {
				object(part);
			}
		}
	}

	private void object(Object part) {
		if (part instanceof Collection<?> elements) {
			mix(elements.size());
			elements.stream()
				.sorted(Comparator.comparingInt((each) -> (each instanceof Call call) ? call.number : 0))
				.forEach(this::add);
		}
		else if (part instanceof Map<?, ?> map) {
			mix(map.size());
			map.forEach((key, value) -> {
				add(key);
				add(value);
			});
		}
		else if (part instanceof AtomicReference<?> reference) {
			add(reference.get());
		}
		else if (part instanceof AtomicBoolean flag) {
			add(flag.get());
		}
		else if (part instanceof AtomicIntegerArray numbers) {
			mix(numbers.toString().hashCode());
		}
		else if (part instanceof Reference<?> reference) {
			add(reference.get());
		}
		else if (part instanceof Object[] elements) {
			List.of(elements.length).forEach(this::add);
			for (Object element : elements) {
				add(element);
			}
		}
		else if (Proxy.isProxyClass(part.getClass())) {
			add(Proxy.getInvocationHandler(part));
		}
		else {
			fields(part);
		}
	}

	private void fields(Object part) {
		String name = part.getClass().getName();
		mix(name.hashCode());
		if (part instanceof CompletableFuture<?> future) {
			add(future.isDone());
		}
		if (name.startsWith(PROJECT) && !(part instanceof Throwable)) {
			for (Field field : this.fields.computeIfAbsent(part.getClass(), Fingerprint::fieldsOf)) {
				try {
					add(field.get(part));
				}
				catch (IllegalAccessException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}
	}

	private static List<Field> fieldsOf(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> each = type; each != null && each.getName().startsWith(PROJECT); each = each.getSuperclass()) {
			for (Field field : each.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !COUNTS.contains(field.getName())
						&& !TYPES.contains(field.getType().getSimpleName())) {
					field.setAccessible(true);
					fields.add(field);
				}
			}
		}
		return fields;
	}

	private void text(String text) {
		for (int i = 0; i < text.length();) {
			int end = i;
			long number = 0;
			while (end < text.length() && Character.isDigit(text.charAt(end))) {
				number = number * 10 + text.charAt(end++) - '0';
			}
			switch (end - i) {
				case 0 -> mix(text.charAt(end++));
				case DIGITS_OF_MILLIS, DIGITS_OF_MICROS, DIGITS_OF_TOKENS -> number(number);
				default -> mix(number);
			}
			i = end;
		}
	}

	/** Adds a number, which is a time or a token if it is as large. */
	private void number(long number) {
		if (number < LEAST_MILLIS || number == Long.MAX_VALUE) {
			mix(number);
		}
		else if (number >= LEAST_NANOS && number < 2 * LEAST_NANOS) {
			mix(number - this.nowNanos);
		}
		else if (number >= LEAST_NANOS) {
			mix(number - this.nowMicros * 1000);
		}
		else {
			mix((number < LEAST_MILLIS * 1000) ? number - this.nowMicros / 1000 : number - this.nowMicros);
		}
	}

}
