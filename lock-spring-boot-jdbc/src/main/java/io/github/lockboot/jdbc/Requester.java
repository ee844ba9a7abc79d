package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState.Holder;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.support.LockHolders;

/**
 * Who requests a lock, for diagnostics.
 *
 * @param thread name of the thread whose caller requests the lock, its reason and the
 * name of the application, as far as they are known
 */
record Requester(String host, long process, String thread) {

	private static final int LONGEST = 255;

	private static final int LONGEST_PART = 80;

	private static final String SEPARATOR = " | ";

	/** An escaped character, unless it is a control character. */
	private static final Pattern ESCAPED = Pattern.compile("\\\\u((?!00[01789])[0-9a-f]{4})");

	Requester {
		host = plain(host, LONGEST);
		thread = plain(thread, LONGEST);
	}

	/**
	 * Return this JVM, without a thread; a requester without a name if nobody may see it.
	 */
	static Requester thisProcess(@Nullable String application) {
		return (application != null) ? new Requester(LockHolders.host(), ProcessHandle.current().pid(), "")
				: new Requester("", 0, "");
	}

	/** Return this JVM with the caller of an attempt. */
	Requester of(LockAttempt attempt, @Nullable String application) {
		if (application == null) {
			return this;
		}
		String reason = (attempt.reason() != null) ? attempt.reason() : "";
		return new Requester(this.host, this.process, (reason + application).isEmpty() ? attempt.thread()
				: part(attempt.thread()) + SEPARATOR + part(reason) + SEPARATOR + part(application));
	}

	/** Read a holder from the columns host, process, thread and acquired_at. */
	static Holder holder(String owner, ResultSet row) throws SQLException {
		if (!row.next()) {
			return Holder.unknown(owner);
		}
		String caller = row.getString(3);
		String[] parts = (caller != null) ? readable(caller).split(" [|] ", -1) : new String[] { "" };
		boolean whole = parts.length == 3;
		long process = row.getLong(2);
		return new Holder(owner, LockHolders.known(whole ? parts[2] : null), LockHolders.known(row.getString(1)),
				(process != 0) ? process : null, LockHolders.known(parts[0]),
				LockHolders.known(whole ? parts[1] : null), Instant.EPOCH.plus(row.getLong(4), ChronoUnit.MICROS));
	}

	private static String part(String text) {
		return plain(text, LONGEST_PART).replace(SEPARATOR, " ");
	}

	/**
	 * Return the ASCII characters of a text and escape all others, so that a character
	 * that the encoding of the table lacks does not fail a lock.
	 */
	private static String plain(String text, int longest) {
		StringBuilder plain = new StringBuilder();
		for (char next : text.toCharArray()) {
			String shown = (next >= ' ' && next <= '~') ? String.valueOf(next) : "\\u%04x".formatted((int) next);
			if (plain.length() + shown.length() > longest) {
				break;
			}
			plain.append(shown);
		}
		return plain.toString();
	}

	private static String readable(String plain) {
		return ESCAPED.matcher(plain)
			.replaceAll((escaped) -> Matcher
				.quoteReplacement(String.valueOf((char) Integer.parseInt(escaped.group(1), 16))));
	}

}
