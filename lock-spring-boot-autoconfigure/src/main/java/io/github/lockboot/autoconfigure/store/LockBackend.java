package io.github.lockboot.autoconfigure.store;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * All that the auto-configuration knows of a store. The artifact of each store has one
 * such description, which {@code META-INF/spring.factories} names as a {@link Provider}.
 *
 * @param name value of {@code lock.backend}; the properties of the store are below
 * {@code lock} under the same name
 * @param place where the locks are, after the word "locks"
 * @param library name of the library that the store needs
 * @param marker a class of this library
 * @param starter artifact to add if the library is missing
 * @param properties class of the properties of the store, or {@code null} if they are
 * part of those of all locks
 * @param replyTimeout how long to wait for a reply of the store
 * @param refused settings that the store cannot follow, with the reason and the cure
 * @param hint how to use this store, if another store cannot be used
 */
@Internal
public record LockBackend(String name, String place, String library, String marker, String starter,
		@Nullable Class<?> properties, Function<Binder, Duration> replyTimeout, Map<Setting, String> refused,
		@Nullable String hint) {

	/** The store of an application that chooses none. */
	public static final String REDIS = "redis";

	/** Memory, which replaces any store, for example in tests. */
	public static final String LOCAL = "local";

	/** Return whether the library of the store is on the class path. */
	public boolean isPresent() {
		return ClassUtils.isPresent(this.marker, null);
	}

	/** A setting for all locks, or for the locks of one name. */
	public enum Setting {

		/** The lease time. */
		LEASE_TIME,

		/** A lease that is not renewed. */
		NO_RENEWAL,

		/** The time that a released lock is kept. */
		RETAIN_TIME

	}

	/**
	 * Describes a store. Spring creates the implementations by their default constructor.
	 */
	@Internal
	@FunctionalInterface
	public interface Provider extends Supplier<LockBackend> {

	}

}
