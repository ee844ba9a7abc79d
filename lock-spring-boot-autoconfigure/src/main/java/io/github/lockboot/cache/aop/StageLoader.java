package io.github.lockboot.cache.aop;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;

/**
 * Runs a method to get a value later.
 */
final class StageLoader implements AsyncCacheLoader<@Nullable Object> {

	private final CacheRead read;

	private final Call call;

	private final AsyncCacheLoader<@Nullable Object> body;

	StageLoader(CacheRead read, Call call, AsyncCacheLoader<@Nullable Object> body) {
		this.read = read;
		this.call = call;
		this.body = body;
	}

	@Override
	public CompletionStage<? extends @Nullable Object> load() throws Throwable {
		return this.body.load();
	}

	@Override
	public boolean isStorable(@Nullable Object value) {
		return this.read.isKept(this.call, value);
	}

	@Override
	public @Nullable Duration ttlOf(@Nullable Object value) {
		return this.read.ttl(this.call, value);
	}

}
