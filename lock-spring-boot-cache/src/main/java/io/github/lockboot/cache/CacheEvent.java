package io.github.lockboot.cache;

/**
 * An event of a cache. There are only a few events, so that each of them can be a meter.
 *
 * @since 1.0.0
 */
public enum CacheEvent {

	/** A call returned an entry from Redis. */
	HIT,

	/** A call returned a local copy of this JVM. */
	LOCAL_HIT,

	/** A call returned a stale entry, while a new one is loaded. */
	STALE_HIT,

	/** A call returned an older local copy, since Redis fails. */
	OUTAGE_HIT,

	/** A call loaded its value. */
	MISS,

	/**
	 * A call returned the value, or failed by the failure, of another load of this JVM.
	 */
	SHARED,

	/** A call without a loader found no entry. */
	ABSENT,

	/**
	 * A call ran its loader without the cache: Redis failed, or the call was in a
	 * transaction, or it waited too long.
	 */
	BYPASS,

	/** A loaded value was stored, also after a load in the background. */
	STORED,

	/** A loaded value was not stored, since its entry was evicted or put meanwhile. */
	REFUSED,

	/** A value was not stored, since it is too large. */
	TOO_LONG,

	/** An entry could not be read as the type of its cache, and is replaced. */
	UNREADABLE,

	/** An entry was refreshed in the background. */
	REFRESHED,

	/**
	 * An entry could not be refreshed in the background; the old one is served until it
	 * expires.
	 */
	REFRESH_FAILED,

	/** A value was put. */
	PUT,

	/** An entry was evicted, or all of them. */
	EVICTED,

	/** An eviction failed and is retried in the background. */
	EVICTION_RETRIED,

	/** A command timed out, was rejected, or was not sent since commands pause. */
	REDIS_FAILED

}
