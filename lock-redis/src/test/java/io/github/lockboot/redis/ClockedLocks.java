package io.github.lockboot.redis;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.LockListener;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.engine.store.LockStore;

/**
 * Locks on Redis like those of a {@link RedisLockTemplate}, with a clock of the test.
 */
public final class ClockedLocks {

	private ClockedLocks() {
	}

	/**
	 * Connect to Redis.
	 * @param clock time and timers; closed with the template
	 * @param listeners notified of events
	 */
	public static LockTemplate of(LettuceConnectionFactory application, RedisLockSettings settings,
			MonotonicClock clock, List<LockListener> listeners) {
		return new LockTemplate(RedisConnections.store(application, settings, clock), clock, settings.lockDefaults(),
				listeners);
	}

	/** Locks whose calls of the store, by their names, a test sends or delays. */
	@SuppressWarnings("unchecked")
	static LockTemplate intercepted(LettuceConnectionFactory application, RedisLockSettings settings,
			BiFunction<String, Supplier<CompletionStage<Object>>, CompletionStage<Object>> calls) {
		MonotonicClock clock = new SystemClock("test");
		LockStore store = RedisConnections.store(application, settings, clock);
		LockStore intercepted = (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(),
				new Class<?>[] { LockStore.class }, (proxy, method, args) -> {
					Supplier<@Nullable Object> call = () -> ReflectionUtils.invokeMethod(method, store, args);
					return (method.getReturnType() == CompletionStage.class)
							? calls.apply(method.getName(), () -> (CompletionStage<Object>) call.get()) : call.get();
				});
		return new LockTemplate(intercepted, clock, settings.lockDefaults(), List.of());
	}

}
