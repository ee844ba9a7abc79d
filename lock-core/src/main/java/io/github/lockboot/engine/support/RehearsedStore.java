package io.github.lockboot.engine.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.engine.store.LockStore;

/**
 * A store whose replies to renewals and attempts may come late, for a rehearsal.
 */
@Internal
public final class RehearsedStore {

	private static final Set<String> DELAYED = Set.of("acquire", "renew");

	private RehearsedStore() {
	}

	/** Return the store itself, unless one of the listeners delays replies. */
	public static LockStore of(LockStore store, List<LockListener> listeners) {
		return listeners.stream()
			.filter(Delay.class::isInstance)
			.map((listener) -> delayed(store, (Delay) listener))
			.findFirst()
			.orElse(store);
	}

	private static LockStore delayed(LockStore store, Delay delay) {
		return (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, arguments) -> {
					try {
						Object reply = method.invoke(store, arguments);
						return DELAYED.contains(method.getName()) ? delay.delay((CompletionStage<?>) reply) : reply;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	/** A listener that delays replies. */
	@Internal
	public interface Delay {

		<T> CompletionStage<T> delay(CompletionStage<T> reply);

	}

}
