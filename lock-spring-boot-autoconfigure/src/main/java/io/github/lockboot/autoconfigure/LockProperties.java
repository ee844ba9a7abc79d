package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.Ordered;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.Internal;
import io.github.lockboot.LockRelease;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.redis.RedisLockSettings;

/**
 * Configuration properties of distributed locks.
 *
 * @since 1.0.0
 */
@ConfigurationProperties("lock")
public class LockProperties implements Validator {

	/**
	 * Whether to enable locks. If disabled, there is no lock template, and annotated
	 * methods run unlocked.
	 */
	private boolean enabled = true;

	/**
	 * Backend that stores the locks: redis, local (within one JVM only), or another store
	 * whose artifact is on the class path.
	 */
	private String backend = "redis";

	/**
	 * Prefix of all names in the store. Applications that share a Redis but must not
	 * share locks need different prefixes.
	 */
	private String keyPrefix = "lock:";

	/**
	 * Time to wait for a busy lock. Zero means a single attempt.
	 */
	private Duration waitTime = Duration.ofSeconds(3);

	/**
	 * Time that the store keeps a lock if its holder dies. Live holders renew the lease.
	 */
	private Duration leaseTime = Duration.ofSeconds(30);

	/**
	 * Maximum time for which a lock is held, after which the lock is lost. Zero means no
	 * limit.
	 */
	private @Nullable Duration maxHoldTime;

	/**
	 * Time that an instance keeps a lock after its release, as long as no other instance
	 * waits for the lock. Zero keeps no lock.
	 */
	private @Nullable Duration retainTime;

	/**
	 * Result of an annotated method whose lock stays busy.
	 */
	private OnNotAcquired onNotAcquired = OnNotAcquired.THROW;

	/**
	 * Reaction to a lock that is lost while a section runs.
	 */
	private OnLost onLost = OnLost.LOG;

	/**
	 * Whether releases wait for the reply of the store. By default, releases of handles
	 * wait, and those of sections and annotated methods do not.
	 */
	private @Nullable LockRelease release;

	/**
	 * Whether the table lock_fence fences the transactions of holders on its database.
	 */
	private Fence fence = Fence.AUTO;

	/**
	 * When to create the table lock_fence at startup, unless it exists, in the databases
	 * of the transaction managers.
	 */
	private InitializeSchema fenceInitializeSchema = InitializeSchema.NEVER;

	/**
	 * Whether a web application responds with problem details (RFC 9457) if a lock fails.
	 */
	private boolean problemDetails;

	/**
	 * Settings of annotated methods, by the name in the annotation.
	 */
	private final Map<String, Named> locks = new LinkedHashMap<>();

	private final Aspect aspect = new Aspect();

	private final Transaction transaction = new Transaction();

	private final Redis redis = new Redis();

	private final Shutdown shutdown = new Shutdown();

	private final Metrics metrics = new Metrics();

	private final Observations observations = new Observations();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public String getBackend() {
		return this.backend;
	}

	public void setBackend(String backend) {
		this.backend = backend;
	}

	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	public Duration getWaitTime() {
		return this.waitTime;
	}

	public void setWaitTime(Duration waitTime) {
		this.waitTime = waitTime;
	}

	public Duration getLeaseTime() {
		return this.leaseTime;
	}

	public void setLeaseTime(Duration leaseTime) {
		this.leaseTime = leaseTime;
	}

	public @Nullable Duration getMaxHoldTime() {
		return this.maxHoldTime;
	}

	public void setMaxHoldTime(@Nullable Duration maxHoldTime) {
		this.maxHoldTime = maxHoldTime;
	}

	public @Nullable Duration getRetainTime() {
		return this.retainTime;
	}

	public void setRetainTime(@Nullable Duration retainTime) {
		this.retainTime = retainTime;
	}

	public OnNotAcquired getOnNotAcquired() {
		return this.onNotAcquired;
	}

	public void setOnNotAcquired(OnNotAcquired onNotAcquired) {
		this.onNotAcquired = onNotAcquired;
	}

	public OnLost getOnLost() {
		return this.onLost;
	}

	public void setOnLost(OnLost onLost) {
		this.onLost = onLost;
	}

	public @Nullable LockRelease getRelease() {
		return this.release;
	}

	public void setRelease(@Nullable LockRelease release) {
		this.release = release;
	}

	public Fence getFence() {
		return this.fence;
	}

	public void setFence(Fence fence) {
		this.fence = fence;
	}

	public InitializeSchema getFenceInitializeSchema() {
		return this.fenceInitializeSchema;
	}

	public void setFenceInitializeSchema(InitializeSchema fenceInitializeSchema) {
		this.fenceInitializeSchema = fenceInitializeSchema;
	}

	public boolean isProblemDetails() {
		return this.problemDetails;
	}

	public void setProblemDetails(boolean problemDetails) {
		this.problemDetails = problemDetails;
	}

	public Map<String, Named> getLocks() {
		return this.locks;
	}

	public Aspect getAspect() {
		return this.aspect;
	}

	public Transaction getTransaction() {
		return this.transaction;
	}

	public Redis getRedis() {
		return this.redis;
	}

	public Shutdown getShutdown() {
		return this.shutdown;
	}

	public Metrics getMetrics() {
		return this.metrics;
	}

	public Observations getObservations() {
		return this.observations;
	}

	@Override
	public boolean supports(Class<?> type) {
		return LockProperties.class == type;
	}

	@Override
	public void validate(Object target, Errors errors) {
		new LockPropertiesCheck(errors).check((LockProperties) target);
	}

	/**
	 * Whether transactions are fenced.
	 */
	public enum Fence {

		/**
		 * Fence transactions on databases that have the table.
		 */
		AUTO,

		/**
		 * Fence all transactions: startup fails if a database has no table, or if a
		 * locked method has a transaction that cannot be fenced.
		 */
		REQUIRED,

		/**
		 * Fence no transaction.
		 */
		OFF

	}

	/**
	 * What locks annotated methods.
	 */
	public enum Mode {

		/**
		 * Proxies around the beans of the application.
		 */
		PROXY,

		/**
		 * Code that AspectJ weaves into the methods.
		 */
		ASPECTJ

	}

	/**
	 * What the check of annotated methods does when the application starts.
	 */
	public enum Validation {

		/**
		 * Let startup fail with a report of all findings.
		 */
		FAIL,

		/**
		 * Log all findings as one warning.
		 */
		WARN,

		/**
		 * Check nothing.
		 */
		OFF

	}

	/**
	 * When to release the lock of a method that was called inside a transaction.
	 */
	public enum Release {

		/**
		 * After the transaction is committed or rolled back.
		 */
		AFTER_COMPLETION,

		/**
		 * When the method returns. The next holder may not see the writes of the method
		 * yet.
		 */
		IMMEDIATE

	}

	/**
	 * Settings of one name. The general properties apply where a setting is missing.
	 */
	public static class Named {

		/**
		 * Whether transactions under these locks are fenced.
		 */
		private @Nullable Fence fence;

		/**
		 * Time to wait for a busy lock. Zero means a single attempt.
		 */
		private @Nullable Duration waitTime;

		/**
		 * Time that the store keeps a lock if its holder dies.
		 */
		private @Nullable Duration leaseTime;

		/**
		 * Whether the lease is renewed while the method runs.
		 */
		private @Nullable Boolean renew;

		/**
		 * Maximum time for which a lock is held, after which the lock is lost. Zero means
		 * no limit.
		 */
		private @Nullable Duration maxHoldTime;

		/**
		 * Time that an instance keeps the lock after its release, as long as no other
		 * instance waits for the lock. Zero keeps no lock.
		 */
		private @Nullable Duration retainTime;

		/**
		 * Minimum time for which a lock stays held, even if it is released before.
		 */
		private @Nullable Duration minHoldTime;

		/**
		 * Result of the method if the lock stays busy.
		 */
		private @Nullable OnNotAcquired onNotAcquired;

		/**
		 * Reaction to a lock that is lost while the method runs.
		 */
		private @Nullable OnLost onLost;

		/**
		 * Whether the release waits for the reply of the store.
		 */
		private @Nullable LockRelease release;

		public @Nullable Fence getFence() {
			return this.fence;
		}

		public void setFence(@Nullable Fence fence) {
			this.fence = fence;
		}

		public @Nullable Duration getWaitTime() {
			return this.waitTime;
		}

		public void setWaitTime(@Nullable Duration waitTime) {
			this.waitTime = waitTime;
		}

		public @Nullable Duration getLeaseTime() {
			return this.leaseTime;
		}

		public void setLeaseTime(@Nullable Duration leaseTime) {
			this.leaseTime = leaseTime;
		}

		public @Nullable Boolean getRenew() {
			return this.renew;
		}

		public void setRenew(@Nullable Boolean renew) {
			this.renew = renew;
		}

		public @Nullable Duration getMaxHoldTime() {
			return this.maxHoldTime;
		}

		public void setMaxHoldTime(@Nullable Duration maxHoldTime) {
			this.maxHoldTime = maxHoldTime;
		}

		public @Nullable Duration getRetainTime() {
			return this.retainTime;
		}

		public void setRetainTime(@Nullable Duration retainTime) {
			this.retainTime = retainTime;
		}

		public @Nullable Duration getMinHoldTime() {
			return this.minHoldTime;
		}

		public void setMinHoldTime(@Nullable Duration minHoldTime) {
			this.minHoldTime = minHoldTime;
		}

		public @Nullable OnNotAcquired getOnNotAcquired() {
			return this.onNotAcquired;
		}

		public void setOnNotAcquired(@Nullable OnNotAcquired onNotAcquired) {
			this.onNotAcquired = onNotAcquired;
		}

		public @Nullable OnLost getOnLost() {
			return this.onLost;
		}

		public void setOnLost(@Nullable OnLost onLost) {
			this.onLost = onLost;
		}

		public @Nullable LockRelease getRelease() {
			return this.release;
		}

		public void setRelease(@Nullable LockRelease release) {
			this.release = release;
		}

	}

	/**
	 * How annotated methods are locked.
	 */
	public static class Aspect {

		static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

		/**
		 * Whether annotated methods are locked.
		 */
		private boolean enabled = true;

		/**
		 * What locks annotated methods.
		 */
		private Mode mode = Mode.PROXY;

		/**
		 * Order of the advice, which must be lower than the order of the transaction
		 * advice.
		 */
		private int order = DEFAULT_ORDER;

		/**
		 * What the check of annotated methods does when the application starts.
		 */
		private Validation validation = Validation.FAIL;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		public Mode getMode() {
			return this.mode;
		}

		public void setMode(Mode mode) {
			this.mode = mode;
		}

		public int getOrder() {
			return this.order;
		}

		public void setOrder(int order) {
			this.order = order;
		}

		public Validation getValidation() {
			return this.validation;
		}

		public void setValidation(Validation validation) {
			this.validation = validation;
		}

	}

	/**
	 * Locks of methods that are called inside a transaction.
	 */
	public static class Transaction {

		/**
		 * When to release the lock of an annotated method that was called inside a
		 * transaction.
		 */
		private Release release = Release.AFTER_COMPLETION;

		public Release getRelease() {
			return this.release;
		}

		public void setRelease(Release release) {
			this.release = release;
		}

	}

	/**
	 * Handling of locks when the application stops.
	 */
	public static class Shutdown {

		/**
		 * Time to wait for running sections to end.
		 */
		private Duration timeout = Duration.ofSeconds(20);

		/**
		 * Whether to release locks whose sections have not ended within the timeout.
		 * Otherwise, other callers wait until the leases expire.
		 */
		private boolean release = true;

		public Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

		public boolean isRelease() {
			return this.release;
		}

		public void setRelease(boolean release) {
			this.release = release;
		}

	}

	/**
	 * Meters of locks and caches.
	 */
	public static class Metrics {

		/**
		 * Whether to measure locks and caches, if there is a meter registry.
		 */
		private boolean enabled = true;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * Observations of locks.
	 */
	public static class Observations {

		/**
		 * Whether to observe each wait for a lock and each hold, if there is an
		 * observation registry.
		 */
		private boolean enabled;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * Locks in Redis.
	 */
	public static class Redis {

		/**
		 * Bean name of the connection factory whose settings are used. Required if there
		 * are several connection factories and none is primary.
		 */
		private @Nullable String connectionFactory;

		/**
		 * Time to wait for the reply to one command.
		 */
		private Duration commandTimeout = Duration.ofSeconds(1);

		/**
		 * Whether other programs acquire the same locks with a plain SET NX PX. Waiters
		 * then poll, so that these programs do not starve.
		 */
		private boolean foreignClients;

		/**
		 * Number of replicas that must acknowledge a lock before it is granted. Zero
		 * means no wait for replicas.
		 */
		private int minReplicasAcknowledged;

		/**
		 * Reaction to a Redis that cannot be reached, or refuses the connection, at
		 * startup. With 'retry' the application starts without locks and connects in the
		 * background, unless Redis refuses the user or password.
		 */
		private RedisLockSettings.Startup startup = RedisLockSettings.Startup.FAIL;

		private final Redlock redlock = new Redlock();

		public @Nullable String getConnectionFactory() {
			return this.connectionFactory;
		}

		public void setConnectionFactory(@Nullable String connectionFactory) {
			this.connectionFactory = connectionFactory;
		}

		public Duration getCommandTimeout() {
			return this.commandTimeout;
		}

		public void setCommandTimeout(Duration commandTimeout) {
			this.commandTimeout = commandTimeout;
		}

		public boolean isForeignClients() {
			return this.foreignClients;
		}

		public void setForeignClients(boolean foreignClients) {
			this.foreignClients = foreignClients;
		}

		public int getMinReplicasAcknowledged() {
			return this.minReplicasAcknowledged;
		}

		public void setMinReplicasAcknowledged(int minReplicasAcknowledged) {
			this.minReplicasAcknowledged = minReplicasAcknowledged;
		}

		public RedisLockSettings.Startup getStartup() {
			return this.startup;
		}

		public void setStartup(RedisLockSettings.Startup startup) {
			this.startup = startup;
		}

		public Redlock getRedlock() {
			return this.redlock;
		}

	}

	/**
	 * Locks on a majority of several independent Redis masters.
	 */
	public static class Redlock {

		/**
		 * Addresses of the masters, as host:port. The number of masters must be odd and
		 * at least three.
		 */
		private List<String> nodes = new ArrayList<>();

		public List<String> getNodes() {
			return this.nodes;
		}

		public void setNodes(List<String> nodes) {
			this.nodes = nodes;
		}

	}

	/**
	 * In which databases to create tables at startup.
	 */
	public enum InitializeSchema {

		/**
		 * Only in an embedded database.
		 */
		EMBEDDED,

		/**
		 * In any database.
		 */
		ALWAYS,

		/**
		 * Never.
		 */
		NEVER;

		/**
		 * Return whether to create tables in a database. Requires Spring Boot's JDBC
		 * support.
		 */
		@Internal
		public boolean isWanted(DataSource dataSource) {
			return switch (this) {
				case EMBEDDED -> EmbeddedDatabaseConnection.isEmbedded(dataSource);
				case ALWAYS -> true;
				case NEVER -> false;
			};
		}

	}

}
