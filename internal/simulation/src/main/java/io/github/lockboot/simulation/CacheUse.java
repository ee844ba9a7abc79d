package io.github.lockboot.simulation;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;

/**
 * How the JVMs of a history use a cache.
 *
 * @param keys how many entries
 * @param localMillis for how long a JVM uses its copy of an entry; 0 for no copies
 * @param outageMillis for how long it uses the copy while Redis fails
 * @param graceMillis of each evict, for loaders that read from a replica, which lags by
 * half of that time; 0 for loaders that read from the master
 */
record CacheUse(int keys, long ttlMillis, long leaseMillis, long localMillis, long outageMillis, long graceMillis) {

	/** The longest load that is not given up. */
	static final long LONGEST_LOAD_MILLIS = 3000;

	static final long WAIT_MILLIS = 6000;

	CacheSettings settings(CacheSettings defaults) {
		return defaults.withTtl(Duration.ofMillis(this.ttlMillis))
			.withJitter(0)
			.withLease(Duration.ofMillis(this.leaseMillis))
			.withMaxLoadTime(Duration.ofMillis(LONGEST_LOAD_MILLIS))
			.withWaitTimeout(Duration.ofMillis(WAIT_MILLIS))
			.withLocalTtl(Duration.ofMillis(this.localMillis))
			.withLocalOutageTtl(Duration.ofMillis(this.outageMillis));
	}

	long lagMillis() {
		return this.graceMillis / 2;
	}

	/**
	 * Return the tag of an entry, one of two; {@code null} for the cache of one entry.
	 */
	@Nullable String tag(int key) {
		return (this.keys > 1) ? "tag" + key % 2 : null;
	}

	/** Return the shape of the entries of a JVM: in some histories there are two. */
	int shape(int jvm) {
		return (this.leaseMillis % 400 == 0) ? jvm % 2 : 0;
	}

	static String name(int key) {
		return "key" + key;
	}

	@Override
	public String toString() {
		return "cache of " + this.keys + " entries, ttl " + this.ttlMillis + " ms, lease " + this.leaseMillis + " ms"
				+ ((this.localMillis > 0) ? ", copies for " + this.localMillis + " ms" : "")
				+ ((this.outageMillis > 0) ? ", in outages for " + this.outageMillis + " ms" : "")
				+ ((this.graceMillis > 0) ? ", grace " + this.graceMillis + " ms" : "");
	}

}
