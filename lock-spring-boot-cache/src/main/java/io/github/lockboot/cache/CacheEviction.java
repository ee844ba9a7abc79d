package io.github.lockboot.cache;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.springframework.util.Assert;

/**
 * An immutable request to evict entries.
 *
 * @param cacheName name of the cache
 * @param keys keys of the entries; empty for those of the tags, or all entries of the
 * cache
 * @param tags tags of the entries, if there are no keys
 * @param grace how long loads may still read data from before the change, for instance
 * from a replica that lags; entries that are loaded during this time expire at its end,
 * even if they are changed again. A grace requires keys
 * @param afterCommit whether to evict after the commit of the caller's transaction, if
 * there is one; nothing is evicted after a rollback
 * @param failOnError whether to throw a {@link CacheUnavailableException} if Redis fails;
 * the evict is retried in the background in any case
 * @since 1.0.0
 */
public record CacheEviction(String cacheName, List<Object> keys, List<Object> tags, Duration grace, boolean afterCommit,
		boolean failOnError) {

	/**
	 * Create an eviction.
	 * @throws IllegalArgumentException if the name is blank, the grace is negative or
	 * longer than 365 days, there is a grace but no key, or there are keys and tags
	 */
	public CacheEviction {
		Assert.hasText(cacheName, "The name of a cache must not be blank");
		CacheSettings.checkTime("grace", grace, 0);
		Assert.isTrue(!keys.isEmpty() || grace.isZero(), "'grace' requires keys: evict those by their keys,"
				+ " or evict all again when no more old data can be read");
		Assert.isTrue(keys.isEmpty() || tags.isEmpty(), "Entries are evicted by their keys or by tags: evict twice");
		keys = List.copyOf(keys);
		tags = List.copyOf(tags);
	}

	/**
	 * Create an immediate eviction of entries.
	 * @param keys keys of the entries, at least one
	 */
	public static CacheEviction of(String cacheName, Object... keys) {
		Assert.isTrue(keys.length > 0, "At least one key is required. Use ofAll to evict all entries");
		return new CacheEviction(cacheName, Arrays.asList(keys), List.of(), Duration.ZERO, false, false);
	}

	/**
	 * Create an immediate eviction of the entries of tags, by one command for each tag.
	 * Other JVMs follow when its message arrives, and within two seconds.
	 * @param tags tags as in {@link CacheSpec#withTags}, at least one
	 */
	public static CacheEviction ofTags(String cacheName, Object... tags) {
		Assert.isTrue(tags.length > 0, "At least one tag is required. Use ofAll to evict all entries");
		return new CacheEviction(cacheName, List.of(), Arrays.asList(tags), Duration.ZERO, false, false);
	}

	/** Create an immediate eviction of all entries of a cache. */
	public static CacheEviction ofAll(String cacheName) {
		return new CacheEviction(cacheName, List.of(), List.of(), Duration.ZERO, false, false);
	}

	/** Return this eviction with a grace. */
	public CacheEviction withGrace(Duration grace) {
		return new CacheEviction(this.cacheName, this.keys, this.tags, grace, this.afterCommit, this.failOnError);
	}

	/**
	 * Return this eviction after the commit of the caller's transaction, if there is one.
	 */
	public CacheEviction whenCommitted() {
		return new CacheEviction(this.cacheName, this.keys, this.tags, this.grace, true, this.failOnError);
	}

	/**
	 * Return this eviction with a {@link CacheUnavailableException} if Redis fails. After
	 * a commit, the caller of the commit receives it; the commit remains.
	 */
	public CacheEviction orFail() {
		return new CacheEviction(this.cacheName, this.keys, this.tags, this.grace, this.afterCommit, true);
	}

}
