package io.github.lockboot.cache.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.key.KeyEncoder;

/**
 * A loader that may run after its call has returned. The caller may have changed the
 * arguments by then: their value belongs to another key, and replaces no entry.
 *
 * @param key the key of the call, which may be mutable
 * @param text the text of the key at the call
 */
record KeyedLoader<T extends @Nullable Object>(TypedCache cache, Object key, String text,
		CacheLoader<T, ?> loader) implements CacheLoader<T, Throwable> {

	/** Load in the background, before and after which the key has to be the same. */
	@Override
	public T load() throws Throwable {
		check();
		T value = this.loader.load();
		check();
		return value;
	}

	private void check() {
		if (hasAnotherKey()) {
			throw new CacheKeyException(this.cache.name(), "The arguments have another key now", null);
		}
	}

	/** Return whether the key of the arguments has changed since the call. */
	boolean hasAnotherKey() {
		String now;
		try {
			now = KeyEncoder.of(this.cache.name(), this.loader.keyNow(this.key));
		}
		catch (CacheException ex) {
			now = String.valueOf(ex.getMessage());
		}
		if (now.equals(this.text)) {
			return false;
		}
		this.cache.warnOfKey(this.text, now);
		return true;
	}

	@Override
	public CacheLoader<T, Throwable> inBackground() {
		return new KeyedLoader<>(this.cache, this.key, this.text, this.loader.inBackground());
	}

	@Override
	public boolean isStorable(T value) {
		return this.loader.isStorable(value);
	}

	@Override
	public @Nullable Duration ttlOf(T value) {
		return this.loader.ttlOf(value);
	}

}
