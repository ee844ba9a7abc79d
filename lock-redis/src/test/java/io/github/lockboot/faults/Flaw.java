package io.github.lockboot.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * A deliberate defect of the store that the engine uses.
 */
enum Flaw {

	SKIPS_RENEWALS(
			(method, store) -> method.equals("renew") ? CompletableFuture.completedStage(Defect.RENEWED) : store.run()),

	HIDES_LOSSES((method, store) -> change(store.run(),
			(reply) -> (reply instanceof RenewReply.NotOwner) ? Defect.RENEWED : reply)),

	/** One time in twenty. */
	GRANTS_HELD_LOCKS((method, store) -> change(store.run(), (reply) -> {
		boolean lies = reply instanceof AcquireReply.Queued && ThreadLocalRandom.current().nextInt(20) == 0;
		long token = lies ? ((AcquireReply.Queued) reply).storeMicros() : 0;
		return lies ? new AcquireReply.Owned(token, token, 0) : reply;
	})),

	/** Every second time. The locks stay taken until their leases expire. */
	LOSES_RELEASES((method, store) -> {
		boolean loses = method.equals("release") && ThreadLocalRandom.current().nextBoolean();
		return loses ? CompletableFuture.completedStage(ReleaseReply.RELEASED) : store.run();
	}),

	/** The last token that was issued, if that is ahead of the time. */
	GRANTS_THE_PREVIOUS_TOKEN(
			(method, store) -> change(store.run(), (reply) -> (reply instanceof AcquireReply.Owned owned)
					? new AcquireReply.Owned(owned.token() - 1, owned.reserved() - 1, owned.queued()) : reply));

	/** System property that sets it. */
	static final String PROPERTY = "lockboot.faults.flaw";

	private final Defect defect;

	Flaw(Defect defect) {
		this.defect = defect;
	}

	/**
	 * Add the flaw of this JVM to a store.
	 * @param store the store
	 * @return the store that the engine has to use, with the flaw if there is one
	 */
	static LockStore addTo(LockStore store) {
		String name = System.getProperty(PROPERTY);
		return (name != null) ? valueOf(name).wrap(store) : store;
	}

	private LockStore wrap(LockStore store) {
		return (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, args) -> this.defect.call(method.getName(), () -> {
					try {
						return method.invoke(store, args);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				}));
	}

	private static @Nullable Object change(@Nullable Object answer, UnaryOperator<Object> change) {
		return (answer instanceof CompletionStage<?> stage) ? stage.thenApply(change::apply) : answer;
	}

	/** Calls the store, or returns something else, always or sometimes. */
	private interface Defect {

		/** Reserves more tokens than a century needs. */
		RenewReply RENEWED = new RenewReply.Renewed(Long.MAX_VALUE / 2000, 0);

		@Nullable Object call(String method, Call store) throws Throwable;

	}

	/** A call of the store. */
	interface Call {

		@Nullable Object run() throws Throwable;

	}

}
