package io.github.lockboot.faults;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of the locks of a run. The locks of one family are on one server, also in a
 * cluster: a name such as <code>orders}seats</code> ends the hash tag of its key after
 * the family.
 */
final class LockNames {

	/**
	 * Two locks that all threads request all the time. Each gives its family its name.
	 */
	static final List<String> CONTENDED = List.of("orders", "stock");

	/** The kind whose requests are all {@code fair}. */
	static final String FAIR = "fair";

	/** The kinds of locks in each family that only some threads request at a time. */
	static final List<String> KINDS = List.of("leases", "shared", "seats", "left", "right", "hold", "forced", FAIR);

	private LockNames() {
	}

	static String of(String family, String kind) {
		return family + "}" + kind;
	}

	/** Return the family of a lock. */
	static String family(String lock) {
		int end = lock.indexOf('}');
		return (end < 0) ? lock : lock.substring(0, end);
	}

	/** Whether a lock or its family is among some names. */
	static boolean contains(Collection<String> names, String lock) {
		return names.contains(lock) || names.contains(family(lock));
	}

	/**
	 * Return the locks that some thread has to acquire after each fault: all but the
	 * contended locks and those that are rarely requested.
	 */
	static Stream<String> wanted() {
		return CONTENDED.stream().flatMap((family) -> KINDS.stream().map((kind) -> of(family, kind)));
	}

}
