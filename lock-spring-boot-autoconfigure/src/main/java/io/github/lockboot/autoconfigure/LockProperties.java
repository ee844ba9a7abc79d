package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.Assert;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.aop.lock.LockedMethodDefaults;
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.redis.RedisLockSettings;

/**
 * Configuration properties of distributed locks.
 *
 * @param enabled Whether to enable locks. If disabled, there is no lock template, and
 * annotated methods run unlocked.
 * @param backend Backend that stores the locks: redis, local (within one JVM only), or
 * another store whose artifact is on the class path.
 * @param keyPrefix Prefix of all names in the store. Applications that share a Redis but
 * must not share locks need different prefixes.
 * @param waitTime Time to wait for a busy lock. Zero means a single attempt.
 * @param leaseTime Time that the store keeps a lock if its holder dies. Live holders
 * renew the lease.
 * @param maxHoldTime Maximum time for which a lock is held, after which the lock is lost.
 * Zero means no limit.
 * @param retainTime Time that an instance keeps a lock after its release, as long as no
 * other instance waits for the lock. Zero keeps no lock.
 * @param maxWaiting Maximum number of callers of an instance that wait for a lock. One
 * more is refused at once. Zero means no limit.
 * @param onNotAcquired Result of an annotated method whose lock stays busy.
 * @param onLost Reaction to a lock that is lost while a section runs.
 * @param release Whether releases wait for the reply of the store. By default, releases
 * of handles wait, and those of sections and annotated methods do not.
 * @param fence Whether the table lock_fence fences the transactions of holders on its
 * database.
 * @param fenceInitializeSchema When to create the table lock_fence at startup, unless it
 * exists, in the databases of the transaction managers.
 * @param holdWarningTime Time after which a hold is logged, with the stack of the call
 * that requested the lock.
 * @param identity What others see of the holder of a lock.
 * @param problemDetails Whether a web application responds with problem details (RFC
 * 9457) if a lock fails.
 * @param rehearsal Rehearsal of lost locks, for staging.
 * @param locks Settings of annotated methods, by the name in the annotation.
 * @since 1.0.0
 */
@ConfigurationProperties("lock")
public record LockProperties(@DefaultValue("true") boolean enabled, @DefaultValue("redis") String backend,
		@DefaultValue("lock:") String keyPrefix, @DefaultValue("3s") Duration waitTime,
		@DefaultValue("30s") Duration leaseTime, @Nullable Duration maxHoldTime, @Nullable Duration retainTime,
		@Nullable Integer maxWaiting, @DefaultValue("throw") OnNotAcquired onNotAcquired,
		@DefaultValue("log") OnLost onLost, @Nullable LockRelease release, @DefaultValue("auto") Fence fence,
		@DefaultValue("never") InitializeSchema fenceInitializeSchema, @Nullable Duration holdWarningTime,
		@DefaultValue("full") Identity identity, @DefaultValue("true") boolean problemDetails,
		@DefaultValue Map<String, Named> locks, @DefaultValue Aspect aspect, @DefaultValue Transaction transaction,
		@DefaultValue Redis redis, @DefaultValue Shutdown shutdown, @DefaultValue Metrics metrics,
		@DefaultValue Observations observations, @DefaultValue Rehearsal rehearsal) implements Validator {

	/** Return the defaults of all locks. */
	@Internal
	public LockDefaults defaults() {
		return new LockDefaults(this.waitTime, this.leaseTime, this.onLost, this.maxHoldTime, this.release,
				this.retainTime, this.maxWaiting, null);
	}

	/** Return the defaults of all locks of an application, with its name. */
	@Internal
	public LockDefaults defaults(Environment environment) {
		return defaults().withApplication(
				(this.identity == Identity.OFF) ? null : environment.getProperty("spring.application.name", ""));
	}

	/**
	 * Return the defaults of the annotations with a name: the settings of the name, or
	 * else those of all locks.
	 */
	LockedMethodDefaults defaults(String name) {
		Named named = either(RelaxedNames.find(this.locks, name), Named.NONE);
		return new LockedMethodDefaults(named.orElse(defaults()), isLeaseOfStore(), either(named.renew, true),
				named.minHoldTime, named.permits(name), either(named.onNotAcquired, this.onNotAcquired));
	}

	private static <T> T either(@Nullable T named, T general) {
		return (named != null) ? named : general;
	}

	private boolean isLeaseOfStore() {
		LockBackend backend = LockBackends.find(this.backend);
		return backend != null && backend.refused().containsKey(LockBackend.Setting.LEASE_TIME);
	}

	@Override
	public boolean supports(Class<?> type) {
		return LockProperties.class == type;
	}

	@Override
	public void validate(Object target, Errors errors) {
		new LockPropertiesCheck(new PropertyErrors(errors)).check((LockProperties) target);
	}

	/** Check the values of all locks, and of each name. */
	void checkValues(PropertyErrors errors) {
		LockDefaults valid = LockDefaults.defaults();
		errors.check("keyPrefix", () -> PropertyErrors.checkKeyPrefix(this.keyPrefix));
		errors.check("waitTime", () -> valid.withWaitTime(this.waitTime));
		errors.check("leaseTime", () -> valid.withLeaseTime(this.leaseTime));
		errors.check("maxHoldTime", () -> valid.withMaxHoldTime(this.maxHoldTime));
		errors.check("retainTime", () -> valid.withRetainTime(this.retainTime));
		errors.check("maxWaiting", () -> valid.withMaxWaiting(this.maxWaiting));
		errors.check("holdWarningTime",
				() -> Assert.isTrue(this.holdWarningTime == null || this.holdWarningTime.toMillis() > 0,
						() -> "The time must be at least 1 ms but is " + this.holdWarningTime));
		errors.check("shutdown.timeout", () -> Assert.isTrue(!this.shutdown.timeout.isNegative(),
				() -> "The timeout must not be negative but is " + LockDefaults.text(this.shutdown.timeout)));
		if (this.rehearsal.lose != null) {
			errors.check("rehearsal.lose", this.rehearsal::sections);
		}
		this.locks.forEach((name, named) -> named.checkValues(errors, name));
	}

	/**
	 * Check for a setting that a store cannot follow, for all locks and for each name.
	 * @param reason why the store cannot follow it, and the cure
	 */
	void refuse(LockBackend.Setting setting, String reason, PropertyErrors errors) {
		switch (setting) {
			case LEASE_TIME ->
				errors.refuse("leaseTime", !this.leaseTime.equals(LockDefaults.defaults().leaseTime()), reason);
			case RETAIN_TIME -> errors.refuse("retainTime", isRetained(this.retainTime), reason);
			case NO_RENEWAL -> {
			}
		}
		this.locks.forEach((name, named) -> named.refuse(setting, reason, errors, name));
	}

	private static boolean isRetained(@Nullable Duration retainTime) {
		return retainTime != null && !retainTime.isZero();
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
	 * What others see of the holder of a lock.
	 */
	public enum Identity {

		/**
		 * Application, host, process, thread and reason.
		 */
		FULL,

		/**
		 * Nothing. This instance neither tells others who it is nor shows who they are.
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
	 *
	 * @param fence Whether transactions under these locks are fenced.
	 * @param waitTime Time to wait for a busy lock. Zero means a single attempt.
	 * @param leaseTime Time that the store keeps a lock if its holder dies.
	 * @param renew Whether the lease is renewed while the method runs.
	 * @param maxHoldTime Maximum time for which a lock is held, after which the lock is
	 * lost. Zero means no limit.
	 * @param retainTime Time that an instance keeps the lock after its release, as long
	 * as no other instance waits for the lock. Zero keeps no lock.
	 * @param maxWaiting Maximum number of callers of an instance that wait for a lock.
	 * One more is refused at once. Zero means no limit.
	 * @param minHoldTime Minimum time for which a lock stays held, even if it is released
	 * before.
	 * @param permits Number of calls that may run at the same time, for methods with a
	 * semaphore whose annotation has no number.
	 * @param onNotAcquired Result of the method if the lock stays busy.
	 * @param onLost Reaction to a lock that is lost while the method runs.
	 * @param release Whether the release waits for the reply of the store.
	 */
	public record Named(@Nullable Fence fence, @Nullable Duration waitTime, @Nullable Duration leaseTime,
			@Nullable Boolean renew, @Nullable Duration maxHoldTime, @Nullable Duration retainTime,
			@Nullable Integer maxWaiting, @Nullable Duration minHoldTime, @Nullable Integer permits,
			@Nullable OnNotAcquired onNotAcquired, @Nullable OnLost onLost, @Nullable LockRelease release) {

		private static final Named NONE = new Named(null, null, null, null, null, null, null, null, null, null, null,
				null);

		private LockDefaults orElse(LockDefaults general) {
			return new LockDefaults(either(this.waitTime, general.waitTime()),
					either(this.leaseTime, general.leaseTime()), either(this.onLost, general.onLost()),
					(this.maxHoldTime != null) ? this.maxHoldTime : general.maxHoldTime(),
					(this.release != null) ? this.release : general.release(),
					(this.retainTime != null) ? this.retainTime : general.retainTime(),
					(this.maxWaiting != null) ? this.maxWaiting : general.maxWaiting(), general.application());
		}

		/**
		 * Return the permits as a placeholder, which is resolved for each call, so that a
		 * new value applies at run time.
		 */
		private @Nullable String permits(String name) {
			if (this.permits == null) {
				return null;
			}
			String element = name.matches("[\\w-]+") ? "." + name : "[" + name + "]";
			return name.matches("[^:{}\\[\\]]+") ? "${lock.locks" + element + ".permits:" + this.permits + "}"
					: this.permits.toString();
		}

		private void checkValues(PropertyErrors errors, String name) {
			String path = path(name);
			LockRequest valid = LockRequest.of(name);
			errors.check(path + "waitTime", () -> valid.waitTime(this.waitTime));
			errors.check(path + "leaseTime", () -> valid.leaseTime(this.leaseTime));
			errors.check(path + "maxHoldTime", () -> valid.maxHoldTime(this.maxHoldTime));
			errors.check(path + "retainTime", () -> valid.retainTime(this.retainTime));
			errors.check(path + "maxWaiting", () -> valid.maxWaiting(this.maxWaiting));
			errors.check(path + "minHoldTime", () -> valid.minHoldTime(this.minHoldTime));
			errors.check(path + "permits", () -> valid.permits((this.permits != null) ? this.permits : 1));
		}

		private void refuse(LockBackend.Setting setting, String reason, PropertyErrors errors, String name) {
			switch (setting) {
				case LEASE_TIME -> errors.refuse(path(name) + "leaseTime", this.leaseTime != null, reason);
				case RETAIN_TIME -> errors.refuse(path(name) + "retainTime", isRetained(this.retainTime), reason);
				case NO_RENEWAL -> errors.refuse(path(name) + "renew", Boolean.FALSE.equals(this.renew), reason);
			}
		}

		private static String path(String name) {
			return "locks[" + name + "].";
		}

	}

	/**
	 * How annotated methods are locked.
	 *
	 * @param enabled Whether annotated methods are locked.
	 * @param mode What locks annotated methods.
	 * @param order Order of the advice, which must be lower than the order of the
	 * transaction advice.
	 * @param validation What the check of annotated methods does when the application
	 * starts.
	 */
	public record Aspect(@DefaultValue("true") boolean enabled, @DefaultValue("proxy") Mode mode,
			@DefaultValue("" + DEFAULT_ORDER) int order, @DefaultValue("fail") Validation validation) {

		static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	}

	/**
	 * Locks of methods that are called inside a transaction.
	 *
	 * @param release When to release the lock of an annotated method that was called
	 * inside a transaction.
	 */
	public record Transaction(@DefaultValue("after-completion") Release release) {

	}

	/**
	 * Handling of locks when the application stops.
	 *
	 * @param timeout Time to wait for running sections to end.
	 * @param release Whether to release locks whose sections have not ended within the
	 * timeout. Otherwise, other callers wait until the leases expire.
	 */
	public record Shutdown(@DefaultValue("20s") Duration timeout, @DefaultValue("true") boolean release) {

	}

	/**
	 * Meters of locks and caches.
	 *
	 * @param enabled Whether to measure locks and caches, if there is a meter registry.
	 */
	public record Metrics(@DefaultValue("true") boolean enabled) {

	}

	/**
	 * Observations of locks.
	 *
	 * @param enabled Whether to observe each wait for a lock and each hold, if there is
	 * an observation registry.
	 */
	public record Observations(boolean enabled) {

	}

	/**
	 * A rehearsal of lost locks, for staging.
	 *
	 * @param lose Share of the sections of each name that lose their lock, for example
	 * 0.1%, which is one of each 1000.
	 * @param forced Whether to rehearse even in a profile named prod or production.
	 */
	public record Rehearsal(@Nullable String lose, boolean forced) {

		/** Return the number of sections of which one loses its lock. */
		@Internal
		public int sections() {
			String lose = String.valueOf(this.lose);
			Assert.isTrue(lose.matches("\\d{1,3}(\\.\\d{1,6})?%"),
					() -> "The share must be a percentage, for example 0.1%, but is '" + lose + "'");
			double percent = Double.parseDouble(lose.substring(0, lose.length() - 1));
			Assert.isTrue(percent > 0 && percent <= 100,
					() -> "The share must be above 0% and at most 100% but is " + lose);
			return (int) Math.round(100 / percent);
		}

	}

	/**
	 * Locks in Redis.
	 *
	 * @param connectionFactory Bean name of the connection factory whose settings are
	 * used. Required if there are several connection factories and none is primary.
	 * @param commandTimeout Time to wait for the reply to one command.
	 * @param foreignClients Whether other programs acquire the same locks with a plain
	 * SET NX PX. Waiters then poll, so that these programs do not starve.
	 * @param minReplicasAcknowledged Number of replicas that must acknowledge a lock
	 * before it is granted. Zero means no wait for replicas.
	 * @param startup Reaction to a Redis that cannot be reached at startup. With 'retry'
	 * the application connects in the background, unless Redis refuses the user or
	 * password.
	 */
	public record Redis(@Nullable String connectionFactory, @DefaultValue("1s") Duration commandTimeout,
			boolean foreignClients, int minReplicasAcknowledged,
			@DefaultValue("fail") RedisLockSettings.Startup startup, @DefaultValue Redlock redlock) {

	}

	/**
	 * Locks on a majority of several independent Redis masters.
	 *
	 * @param nodes Addresses of the masters, as host:port. The number of masters must be
	 * odd and at least three.
	 */
	public record Redlock(@DefaultValue List<String> nodes) {

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
