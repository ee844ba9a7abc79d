package io.github.lockboot.sample.cluster;

import java.time.Duration;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The running instances. Each instance renews a key in Redis. The key of an instance that
 * dies expires.
 */
@Component
class InstanceRegistry implements SmartLifecycle {

	private static final String PREFIX = "sample:instance:";

	private static final Duration LEASE = Duration.ofSeconds(5);

	private final Log log = LogFactory.getLog(InstanceRegistry.class);

	private final StringRedisTemplate redis;

	private final Environment environment;

	private volatile State state = State.STOPPED;

	private volatile List<String> known = List.of();

	InstanceRegistry(StringRedisTemplate redis, Environment environment) {
		this.redis = redis;
		this.environment = environment;
	}

	/** Return the URL of this instance. */
	String self() {
		return "http://" + this.environment.getProperty("sample.host", "localhost") + ":" + port();
	}

	/** Return the port on which this instance listens. */
	int port() {
		return this.environment.getRequiredProperty("local.server.port", Integer.class);
	}

	@Override
	public void start() {
		this.state = State.STARTED;
	}

	@Scheduled(fixedRate = 1000)
	void register() {
		try {
			this.redis.opsForValue().set(PREFIX + self(), "", LEASE);
			if (this.state != State.REGISTERED) {
				this.log.info("Ready at " + self() + ", instances: " + instances());
			}
			this.state = State.REGISTERED;
		}
		catch (DataAccessException ex) {
			if (this.state != State.UNREACHABLE) {
				this.log.warn("Not registered, Redis can't be reached: " + ex.getMessage());
			}
			this.state = State.UNREACHABLE;
		}
	}

	@Override
	public void stop() {
		try {
			this.redis.delete(PREFIX + self());
		}
		catch (DataAccessException ex) {
			this.log.debug("Not unregistered; the key expires by itself", ex);
		}
		this.state = State.STOPPED;
	}

	@Override
	public boolean isRunning() {
		return this.state != State.STOPPED;
	}

	/**
	 * Return a phase that stops after the web server has finished its requests, and
	 * before the connections to Redis are closed.
	 */
	@Override
	public int getPhase() {
		return 1;
	}

	/**
	 * Return the instances that run now.
	 * @return their URLs in order; those of the last answer if Redis can't be reached
	 */
	List<String> instances() {
		try (Cursor<String> keys = this.redis.scan(ScanOptions.scanOptions().match(PREFIX + "*").count(1000).build())) {
			this.known = keys.stream().map((key) -> key.substring(PREFIX.length())).distinct().sorted().toList();
		}
		catch (DataAccessException ex) {
			this.log.debug("Redis can't be reached", ex);
		}
		return this.known;
	}

	/** Return the other instances that run now. */
	List<String> others() {
		return instances().stream().filter((instance) -> !instance.equals(self())).toList();
	}

	/**
	 * Return whether an instance gave a sign of life within its lease.
	 * @return whether it is registered, or Redis can't be reached
	 */
	boolean isAlive(String instance) {
		try {
			return this.redis.hasKey(PREFIX + instance);
		}
		catch (DataAccessException ex) {
			return true;
		}
	}

	private enum State {

		STOPPED, STARTED, REGISTERED, UNREACHABLE

	}

}
