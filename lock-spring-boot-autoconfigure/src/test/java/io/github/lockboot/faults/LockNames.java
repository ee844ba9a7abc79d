package io.github.lockboot.faults;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of the locks of a run. Those of one family lie on one server, also in a
 * cluster: a name such as <code>orders}seats</code> ends the hash tag of its key behind
 * the family.
 */
final class LockNames {

	/** Two locks that all want all the time, which are the heads of their families. */
	static final List<String> CONTENDED = List.of("orders", "stock");

	/** The kind whose callers all ask for strict order. */
	static final String FAIR = "fair";

	/** One of these in each family is wanted by a few at a time, each in its own way. */
	static final List<String> KINDS = List.of("leases", "shared", "seats", "left", "right", "hold", "forced", FAIR);

	private LockNames() {
	}

	static String of(String family, String kind) {
		return family + "}" + kind;
	}

	/**
	 * Return the family of a lock.
	 * @param lock name of the lock
	 * @return name of the head of its family
	 */
	static String family(String lock) {
		int end = lock.indexOf('}');
		return (end < 0) ? lock : lock.substring(0, end);
	}

	/**
	 * Whether a lock or its family is among some names.
	 * @param names the names
	 * @param lock name of the lock
	 * @return true if so
	 */
	static boolean contains(Collection<String> names, String lock) {
		return names.contains(lock) || names.contains(family(lock));
	}

	/**
	 * Return the locks that somebody is to get after each fault.
	 * @return all but those that are wanted now and then
	 */
	static Stream<String> wanted() {
		return CONTENDED.stream().flatMap((family) -> KINDS.stream().map((kind) -> of(family, kind)));
	}

}
