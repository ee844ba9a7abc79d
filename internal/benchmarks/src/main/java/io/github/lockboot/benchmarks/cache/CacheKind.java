package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.function.Function;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * The kinds of caches that are compared.
 */
public enum CacheKind implements Kind {

	/** The cache of this library, as auto-configured. */
	OURS("**ours**", (address) -> new OurCache(address, (settings) -> settings)),

	/** A GET and the codec, the minimum cost of a hit. Loads are not guarded. */
	BARE("bare GET and decode", BareCache::new),

	/** Spring Data Redis with its defaults. */
	SPRING("Spring Data Redis", (address) -> new SpringCache(address, false)),

	/** Spring Data Redis with its locking writer. */
	SPRING_LOCKING("Spring Data Redis, locking", (address) -> new SpringCache(address, true)),

	/** Redisson's cache for Spring. */
	REDISSON("Redisson Spring cache", RedissonCache::new),

	/** JetCache with one load at a time in each JVM. */
	JETCACHE("JetCache, protected", ProtectedJetCache::new),

	/** The cache of this library with copies in the JVM. */
	OURS_LOCAL("**ours**, local copies",
			(address) -> new OurCache(address, (settings) -> settings.withLocalTtl(Duration.ofMinutes(1)))),

	/** Caffeine with the same bytes, and also a separate value for each caller. */
	CAFFEINE_BYTES("Caffeine of bytes, decoded", (address) -> CaffeineCache.ofBytes()),

	/** Caffeine with one object for all callers. */
	CAFFEINE("Caffeine of objects", (address) -> new CaffeineCache<>((product) -> product, (product) -> product)),

	/** The cache of this library with a lease of one second. */
	OURS_SHORT_LEASE("**ours**, lease 1 s",
			(address) -> new OurCache(address, (settings) -> settings.withLease(Duration.ofSeconds(1))));

	private final String label;

	private final Function<RedisAddress, CachePeer> opener;

	CacheKind(String label, Function<RedisAddress, CachePeer> opener) {
		this.label = label;
		this.opener = opener;
	}

	@Override
	public String label() {
		return this.label;
	}

	/**
	 * Connect.
	 * @return the cache, to be closed by the caller
	 */
	public CachePeer open(RedisAddress address) {
		return this.opener.apply(address);
	}

}
