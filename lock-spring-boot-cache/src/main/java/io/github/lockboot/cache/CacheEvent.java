package io.github.lockboot.cache;

/**
 * What happens to a cache. Few and of low cardinality, so that each may be a meter.
 *
 * @since 1.0.0
 */
public enum CacheEvent {

	/** A call was answered with an entry of Redis. */
	HIT,

	/** A call was answered with a copy of this JVM. */
	LOCAL_HIT,

	/** A call was answered with an entry that has ended, while a new one is loaded. */
	STALE_HIT,

	/** A call was answered with an older copy of this JVM, since Redis fails. */
	OUTAGE_HIT,

	/** A call has loaded its value. */
	MISS,

	/** A call was answered with what another call of this JVM has loaded. */
	SHARED,

	/** A call that does not load found no entry. */
	ABSENT,

	/** A call ran its loader past the cache: Redis, a transaction or its patience. */
	BYPASS,

	/** A value was stored that was loaded, also in the background. */
	STORED,

	/** A value was not stored, since its entry was evicted or put meanwhile. */
	REFUSED,

	/** A value was not stored, since it is too long. */
	TOO_LONG,

	/** An entry could not be read as the type of its cache, and is replaced. */
	UNREADABLE,

	/** An entry was loaded anew in the background. */
	REFRESHED,

	/**
	 * An entry could not be loaded anew in the background; the old one is served to its
	 * end.
	 */
	REFRESH_FAILED,

	/** A value was put. */
	PUT,

	/** An entry was evicted, or all of them. */
	EVICTED,

	/** An eviction failed and is tried again in the background. */
	EVICTION_RETRIED,

	/** A command was not answered in time, refused, or not sent while Redis is paused. */
	REDIS_FAILED

}
