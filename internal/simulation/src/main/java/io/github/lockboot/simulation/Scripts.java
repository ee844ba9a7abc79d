package io.github.lockboot.simulation;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** Names of the scripts, for stories. */
final class Scripts {

	/** The first byte of an entry of the cache. */
	private static final char ENTRY = 0xCA;

	private Scripts() {
	}

	/** Return a name for the script of a call. */
	static String name(String[] words) {
		if (words[0].equals("EVAL")) {
			return "(text of " + words[1].length() + ") ";
		}
		return words[1].substring(0, 4) + " ";
	}

	/** Return the hash of a call or a reply without the entries, whose ids are random. */
	static int hash(@Nullable Object part) {
		if (part instanceof List<?> list) {
			int hash = 1;
			for (Object element : list) {
				hash = 31 * hash + hash(element);
			}
			return hash;
		}
		return (part instanceof String text && text.indexOf(ENTRY) >= 0) ? text.indexOf(ENTRY) : Objects.hashCode(part);
	}

}
