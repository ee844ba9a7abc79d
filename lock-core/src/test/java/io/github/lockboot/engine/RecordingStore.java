package io.github.lockboot.engine;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * A store that records owner ids, so that a test can release a lock without its holder.
 */
final class RecordingStore {

	private final LockStore store;

	private final Map<String, LockAttempt> attempts = new ConcurrentHashMap<>();

	/** What to do in place of the next call of a method, which may call it. */
	final Map<String, UnaryOperator<Supplier<@Nullable Object>>> next = new ConcurrentHashMap<>();

	RecordingStore(LockStore store) {
		this.store = store;
	}

	/** Return the store that records. */
	LockStore recorded() {
		return (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, arguments) -> call(method, arguments));
	}

	private @Nullable Object call(Method method, @Nullable Object[] arguments) {
		if (method.getName().equals("acquire") && arguments[0] instanceof LockAttempt attempt) {
			this.attempts.put(attempt.lock(), attempt);
		}
		UnaryOperator<Supplier<@Nullable Object>> next = this.next.remove(method.getName());
		Supplier<@Nullable Object> call = () -> ReflectionUtils.invokeMethod(method, this.store, arguments);
		return ((next != null) ? next.apply(call) : call).get();
	}

	/** Release a lock by its last owner id. */
	void steal(String lock) {
		LockAttempt attempt = this.attempts.get(lock);
		if (attempt != null) {
			this.store.release(attempt, 0, 0).toCompletableFuture().join();
		}
	}

}
