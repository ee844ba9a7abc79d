package io.github.lockboot.simulation;

/** Names of the scripts, for stories. */
final class Scripts {

	private Scripts() {
	}

	/** Return a name for the script of a call. */
	static String name(String[] words) {
		if (words[0].equals("EVAL")) {
			return "(text of " + words[1].length() + ") ";
		}
		return words[1].substring(0, 4) + " ";
	}

}
