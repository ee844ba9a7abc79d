package io.github.lockboot.zookeeper;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The name of a node in the queue of a lock. The attempt identifies a request whose reply
 * was lost. The session is part of the name because the node of an earlier session of the
 * same JVM may still exist, and does not prove ownership in the next session.
 *
 * @param session number of the session in its JVM
 * @param sequence place in the queue, which the ensemble has appended, until
 * {@link #isSequenceOver()}
 */
record QueueNode(String name, String attempt, int session, boolean shared, int sequence) {

	private static final Pattern FORM = Pattern.compile("([^-]+)-(\\d+)-([xs])-(-?\\d{9,10})");

	/** Return the beginning of a name, to which the ensemble appends the sequence. */
	static String prefix(String attempt, int session, boolean shared) {
		return attempt + "-" + session + (shared ? "-s-" : "-x-");
	}

	/**
	 * Parse the name of a node; {@code null} if the node was not created by this library.
	 */
	static @Nullable QueueNode parse(String name) {
		Matcher matcher = FORM.matcher(name);
		try {
			return matcher.matches() ? new QueueNode(name, matcher.group(1), Integer.parseInt(matcher.group(2)),
					matcher.group(3).equals("s"), Integer.parseInt(matcher.group(4))) : null;
		}
		catch (NumberFormatException ex) { // a greater number than the ensemble gives
			return null;
		}
	}

	/**
	 * Return whether the sequence does not determine the place: the ensemble counts only
	 * up to the greatest integer, gives this number to many nodes, and gives negative
	 * numbers to the nodes created just after.
	 */
	boolean isSequenceOver() {
		return this.sequence < 0 || this.sequence == Integer.MAX_VALUE;
	}

	QueueNode withShared() {
		return new QueueNode(this.name, this.attempt, this.session, true, this.sequence);
	}

}
