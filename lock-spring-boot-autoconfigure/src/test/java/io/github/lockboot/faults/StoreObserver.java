package io.github.lockboot.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockPushes.Grant;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

/**
 * Observes the calls of a worker's engine to its store. Records for each request of a
 * {@code fair} lock when it was first sent, when it was confirmed to be in the queue, and
 * the token by which it acquired the lock. Thread-safe.
 */
final class StoreObserver {

	private final Map<String, Wait> waits = new ConcurrentHashMap<>();

	/** Owner ids that have their lock; their requests may be repeated. */
	private final Set<String> owners = ConcurrentHashMap.newKeySet();

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	private final @Nullable Flaw flaw;

	/**
	 * Create an observer.
	 * @param flaw a deliberate defect of the store, if any
	 */
	StoreObserver(@Nullable Flaw flaw) {
		this.flaw = flaw;
	}

	/**
	 * Wrap a store.
	 * @param store the store
	 * @return the store that the engine has to use
	 */
	LockStore observe(LockStore store) {
		return proxy(LockStore.class, store, (method, args, call) -> switch (method) {
			case "listen" -> {
				args[0] = observed((LockPushes) args[0]);
				yield call.run();
			}
			case "acquire" -> {
				LockAttempt attempt = (LockAttempt) args[0];
				sent(attempt);
				yield ((CompletionStage<?>) Objects.requireNonNull(call(method, call)))
					.thenApply((reply) -> replied(attempt, (AcquireReply) reply));
			}
			case "release", "releaseLater" -> {
				this.waits.remove(((LockAttempt) args[0]).id());
				this.owners.remove(((LockAttempt) args[0]).id());
				yield call(method, call);
			}
			default -> call(method, call);
		});
	}

	/**
	 * Record the observations.
	 * @param recorder the recorder to use
	 */
	void writeTo(HistoryRecorder recorder) {
		for (String line = this.lines.poll(); line != null; line = this.lines.poll()) {
			recorder.record(line);
		}
	}

	private LockPushes observed(LockPushes pushes) {
		return proxy(LockPushes.class, pushes, (method, args, call) -> {
			if (method.equals("granted")) {
				Grant grant = (Grant) args[0];
				owned(grant.attempt(), grant.token());
			}
			else if (method.equals("missed")) {
				this.waits.replaceAll((owner, wait) -> new Wait(wait.sentNanos, wait.queuedNanos, true));
			}
			return call.run();
		});
	}

	private @Nullable Object call(String method, Call store) throws Throwable {
		return (this.flaw != null) ? this.flaw.call(method, store) : store.run();
	}

	private void sent(LockAttempt attempt) {
		if (attempt.lock().endsWith(LockNames.FAIR)) {
			this.waits.putIfAbsent(attempt.id(), new Wait(System.nanoTime(), Long.MAX_VALUE, false));
		}
	}

	private AcquireReply replied(LockAttempt attempt, AcquireReply reply) {
		if (reply instanceof AcquireReply.Owned owned) {
			owned(attempt, owned.token());
		}
		else if (reply instanceof AcquireReply.Queued) {
			this.waits.computeIfPresent(attempt.id(), (owner, wait) -> wait.queued(System.nanoTime()));
		}
		return reply;
	}

	private void owned(LockAttempt attempt, long token) {
		Wait wait = this.waits.get(attempt.id());
		if (wait != null && this.owners.add(attempt.id())) {
			this.lines.add("wait " + new Entry.Acquisition(attempt.lock(), attempt.id(), token, 1, 1) + " "
					+ wait.sentNanos + " " + wait.queuedNanos + " " + System.nanoTime() + " " + (wait.missed ? 1 : 0));
		}
	}

	private static <T> T proxy(Class<T> type, T target, Interceptor interceptor) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, args) -> interceptor.intercept(method.getName(), args, () -> {
					try {
						return method.invoke(target, args);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				})));
	}

	/** The wait of one request. */
	private record Wait(long sentNanos, long queuedNanos, boolean missed) {

		Wait queued(long nanos) {
			return new Wait(this.sentNanos, Math.min(this.queuedNanos, nanos), this.missed);
		}

	}

	private interface Interceptor {

		@Nullable Object intercept(String method, Object[] args, Call call) throws Throwable;

	}

	/** A call of the store. */
	interface Call {

		@Nullable Object run() throws Throwable;

	}

}
