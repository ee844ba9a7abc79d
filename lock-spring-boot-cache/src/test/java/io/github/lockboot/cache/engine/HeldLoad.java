package io.github.lockboot.cache.engine;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheLoader;

/**
 * A load that runs until the test ends it.
 */
class HeldLoad implements CacheLoader<String, RuntimeException>, AutoCloseable {

	private final @Nullable String value;

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private @Nullable Future<String> caller;

	/**
	 * Create a load.
	 * @param value its result, or {@code null} to fail
	 */
	HeldLoad(@Nullable String value) {
		this.value = value;
	}

	@Override
	public String load() {
		this.started.countDown();
		try {
			if (!this.released.await(30, TimeUnit.SECONDS)) {
				throw new AssertionError("Nobody has let the load end");
			}
		}
		catch (InterruptedException ex) {
			throw new AssertionError("The load was interrupted", ex);
		}
		if (this.value == null) {
			throw new IllegalStateException("The load fails as it should");
		}
		return this.value;
	}

	void awaitStart() {
		Awaitility.await().until(() -> this.started.getCount() == 0);
	}

	void release() {
		this.released.countDown();
	}

	/** Wait until a caller runs this load. */
	void startIn(Future<String> caller) {
		this.caller = caller;
		awaitStart();
	}

	/** End the load, and return what its caller gets. */
	String end() {
		release();
		return CacheFixture.join(Objects.requireNonNull(this.caller));
	}

	@Override
	public void close() {
		release();
	}

}
