package io.github.lockboot.cache.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;

/**
 * The meters of caches.
 */
enum CacheMeter implements MeterDocumentation {

	/** Calls, by what they were answered with. */
	GETS("lock.cache.gets", Meter.Type.COUNTER, CacheTag.CACHE, CacheTag.RESULT),

	/** How long loaders ran. */
	LOAD("lock.cache.load", Meter.Type.TIMER, CacheTag.CACHE, CacheTag.RESULT),

	/** Values that were to be stored. */
	STORES("lock.cache.stores", Meter.Type.COUNTER, CacheTag.CACHE, CacheTag.RESULT),

	/** Entries that were loaded anew in the background. */
	REFRESHES("lock.cache.refreshes", Meter.Type.COUNTER, CacheTag.CACHE, CacheTag.RESULT),

	/** Evictions. */
	EVICTIONS("lock.cache.evictions", Meter.Type.COUNTER, CacheTag.CACHE),

	/** What went wrong without hurting a caller. */
	ERRORS("lock.cache.errors", Meter.Type.COUNTER, CacheTag.CACHE, CacheTag.RESULT),

	/** Whether Redis is not asked for a while, since it has failed. */
	PAUSED("lock.cache.paused", Meter.Type.GAUGE);

	private final String name;

	private final Meter.Type type;

	private final KeyName[] tags;

	CacheMeter(String name, Meter.Type type, KeyName... tags) {
		this.name = name;
		this.type = type;
		this.tags = tags;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public KeyName[] getKeyNames() {
		return this.tags.clone();
	}

}
