package io.github.lockboot.autoconfigure.store;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.github.lockboot.Internal;

/**
 * The stores whose artifacts are on the class path.
 */
@Internal
public final class LockBackends {

	private LockBackends() {
	}

	public static List<LockBackend> all() {
		return SpringFactoriesLoader.forDefaultResourceLocation(LockBackends.class.getClassLoader())
			.load(LockBackend.Provider.class)
			.stream()
			.map(LockBackend.Provider::get)
			.toList();
	}

	/** Return the store of a name, or {@code null} if its artifact is missing. */
	public static @Nullable LockBackend find(String name) {
		return all().stream().filter((backend) -> backend.name().equalsIgnoreCase(name)).findFirst().orElse(null);
	}

	/** Return what to do if {@code lock.backend} names none of the stores. */
	public static String missing(String name) {
		return "Add io.github.lockboot:lock-spring-boot-starter-" + name.toLowerCase(Locale.ROOT)
				+ " if this is a store of lock-spring-boot, or set lock.backend to a store on the class path: "
				+ all().stream().map(LockBackend::name).sorted().collect(Collectors.joining(", "));
	}

	/** Return how to use the other stores whose libraries are on the class path. */
	public static String hints() {
		return all().stream()
			.filter(LockBackend::isPresent)
			.map(LockBackend::hint)
			.filter(Objects::nonNull)
			.map((hint) -> " " + hint)
			.collect(Collectors.joining());
	}

}
