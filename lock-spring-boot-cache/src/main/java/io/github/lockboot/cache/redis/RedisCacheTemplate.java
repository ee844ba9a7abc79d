package io.github.lockboot.cache.redis;

import java.util.List;
import java.util.function.Function;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.lockboot.Internal;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.engine.AsyncThreads;
import io.github.lockboot.cache.engine.CacheTemplate;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.redis.connection.ConnectionSettings;

/**
 * A cache on Redis: one server, Sentinel, Cluster, or a static master. The template uses
 * the servers, credentials and TLS of the application's connection factory, but
 * connections of its own, which are opened in the background at the first use or check.
 * It never reads from a replica. Thread-safe; an application needs one instance.
 *
 * @since 1.0.0
 */
public class RedisCacheTemplate extends CacheTemplate {

	/** Create a template for the auto-configuration, without connecting. */
	@Internal
	public RedisCacheTemplate(ConnectionSettings application, RedisCacheSettings settings,
			Function<String, CacheSettings> defaults, ValueCodec codec, Transactions transactions,
			List<CacheListener> listeners, CacheThreads threads) {
		this(settings.newStore(application, new SystemClock("cache-timer")), defaults, codec, transactions, listeners,
				threads);
	}

	/**
	 * Create a template, without connecting.
	 * @param connectionFactory the application's connection factory, which must be of
	 * Lettuce
	 * @param defaults returns the settings of a cache by its name, which a specification
	 * changes
	 * @param listeners listeners to notify, in order
	 * @param threads where loads run that do not run on the caller's thread
	 * @throws IllegalArgumentException if the factory is not of Lettuce, or for a static
	 * master and replicas
	 */
	public RedisCacheTemplate(RedisConnectionFactory connectionFactory, RedisCacheSettings settings,
			Function<String, CacheSettings> defaults, ValueCodec codec, Transactions transactions,
			List<CacheListener> listeners, CacheThreads threads) {
		this(ConnectionSettings.of(connectionFactory), settings, defaults, codec, transactions, listeners, threads);
	}

	RedisCacheTemplate(CacheStore store, Function<String, CacheSettings> defaults, ValueCodec codec,
			Transactions transactions, List<CacheListener> listeners, CacheThreads threads) {
		super(store, defaults, codec, transactions, listeners, threads.asynchronous(), AsyncThreads.results(),
				threads.background());
	}

}
