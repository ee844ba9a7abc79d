package io.github.lockboot.faults;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * How a store is broken on purpose that stands between the engine and Redis.
 */
enum Flaw {

	RENEWS_NOTHING {

		@Override
		@Nullable Object ask(String method, StoreWatch.Call store) throws Throwable {
			return method.equals("renew") ? CompletableFuture.completedStage(RENEWED) : store.run();
		}

	},

	HIDES_LOSSES {

		@Override
		@Nullable Object ask(String method, StoreWatch.Call store) throws Throwable {
			return change(store.run(), (reply) -> (reply instanceof RenewReply.NotOwner) ? RENEWED : reply);
		}

	},

	/** One time in twenty. */
	OWNS_WHAT_OTHERS_OWN {

		@Override
		@Nullable Object ask(String method, StoreWatch.Call store) throws Throwable {
			return change(store.run(), (reply) -> {
				boolean lies = reply instanceof AcquireReply.Queued && ThreadLocalRandom.current().nextInt(20) == 0;
				long token = lies ? ((AcquireReply.Queued) reply).storeMicros() : 0;
				return lies ? new AcquireReply.Owned(token, token, 0) : reply;
			});
		}

	},

	/** The last one that was given out, if that leads the time. */
	GIVES_OUT_THE_TOKEN_BEFORE {

		@Override
		@Nullable Object ask(String method, StoreWatch.Call store) throws Throwable {
			return change(store.run(), (reply) -> (reply instanceof AcquireReply.Owned owned)
					? new AcquireReply.Owned(owned.token() - 1, owned.reserved() - 1, owned.queued()) : reply);
		}

	};

	/** System property that sets it. */
	static final String PROPERTY = "lockboot.faults.flaw";

	/** With more tokens than are needed for a century. */
	private static final RenewReply RENEWED = new RenewReply.Renewed(Long.MAX_VALUE / 2000, 0);

	/**
	 * Return the flaw of this JVM.
	 * @return the flaw, if it has one
	 */
	static @Nullable Flaw chosen() {
		String name = System.getProperty(PROPERTY);
		return (name != null) ? valueOf(name) : null;
	}

	/**
	 * Ask the store, or not.
	 * @param method what to ask
	 * @param store asks
	 * @return something else than the store would say, now and then
	 */
	abstract @Nullable Object ask(String method, StoreWatch.Call store) throws Throwable;

	private static @Nullable Object change(@Nullable Object answer, UnaryOperator<Object> change) {
		return (answer instanceof CompletionStage<?> stage) ? stage.thenApply(change::apply) : answer;
	}

}
