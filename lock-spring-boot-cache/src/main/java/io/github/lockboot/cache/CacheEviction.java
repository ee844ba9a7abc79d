package io.github.lockboot.cache;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.springframework.util.Assert;

/**
 * What to evict. Immutable.
 *
 * @param cacheName name of the cache
 * @param keys keys of the entries; empty for all entries of the cache
 * @param grace how long data may still be read that is from before the change, from a
 * replica that lags for instance; entries loaded during that time live no longer than it.
 * It holds to its end, whatever changes them meanwhile. Not for all entries of a cache
 * @param afterCommit whether to wait for the commit of the caller's transaction, if there
 * is one; nothing is evicted if it is rolled back
 * @param failOnError whether the caller gets a {@link CacheUnavailableException} if Redis
 * fails; the evict is retried in the background either way
 * @since 1.0.0
 */
public record CacheEviction(String cacheName, List<Object> keys, Duration grace, boolean afterCommit,
		boolean failOnError) {

	/**
	 * Check an eviction as soon as it is made.
	 * @throws IllegalArgumentException if the name is blank, or the grace negative, or
	 * one of all entries
	 */
	public CacheEviction {
		Assert.hasText(cacheName, "The name of a cache must not be blank");
		Assert.isTrue(!grace.isNegative(), () -> "'grace' must not be negative but is " + CacheSettings.text(grace));
		Assert.isTrue(!keys.isEmpty() || grace.isZero(), "'grace' is for entries with a key and not for all of a cache:"
				+ " evict those by their keys, or all once more when old data are no longer read");
		keys = List.copyOf(keys);
	}

	/**
	 * An eviction whose failure is retried in the background and not thrown.
	 * @param cacheName name of the cache
	 * @param keys keys of the entries; empty for all entries of the cache
	 * @param grace see {@link CacheEviction}
	 * @param afterCommit whether to wait for the commit of the caller's transaction
	 */
	public CacheEviction(String cacheName, List<Object> keys, Duration grace, boolean afterCommit) {
		this(cacheName, keys, grace, afterCommit, false);
	}

	/**
	 * Evict entries at once.
	 * @param cacheName name of the cache
	 * @param keys keys of the entries, at least one
	 * @return the eviction
	 */
	public static CacheEviction of(String cacheName, Object... keys) {
		Assert.isTrue(keys.length > 0, "To evict nothing is not what anybody wants; all entries are evicted by ofAll");
		return new CacheEviction(cacheName, Arrays.asList(keys), Duration.ZERO, false);
	}

	/**
	 * Evict all entries of a cache at once.
	 * @param cacheName name of the cache
	 * @return the eviction
	 */
	public static CacheEviction ofAll(String cacheName) {
		return new CacheEviction(cacheName, List.of(), Duration.ZERO, false);
	}

	/**
	 * The same with a grace.
	 * @param grace see {@link CacheEviction}
	 * @return a new eviction
	 */
	public CacheEviction withGrace(Duration grace) {
		return new CacheEviction(this.cacheName, this.keys, grace, this.afterCommit, this.failOnError);
	}

	/**
	 * The same after the commit of the caller's transaction, if there is one.
	 * @return a new eviction
	 */
	public CacheEviction whenCommitted() {
		return new CacheEviction(this.cacheName, this.keys, this.grace, true, this.failOnError);
	}

	/**
	 * The same, with a {@link CacheUnavailableException} for the caller if Redis fails.
	 * After a commit that is thrown to the caller of the commit, which has happened.
	 * @return a new eviction
	 */
	public CacheEviction orFail() {
		return new CacheEviction(this.cacheName, this.keys, this.grace, this.afterCommit, true);
	}

}
