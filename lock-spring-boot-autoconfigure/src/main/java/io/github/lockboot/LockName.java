package io.github.lockboot;

import org.springframework.util.Assert;

/**
 * What the name of a lock must not contain.
 */
final class LockName {

	private static final char NUL = 0;

	private LockName() {
	}

	/**
	 * Check a name. The two characters that are refused have no place in a text anyway:
	 * NUL, which the library separates names with, and one half of a surrogate pair, for
	 * which UTF-8 has no bytes, so that all of them would share a lock.
	 * @param name the name
	 * @throws IllegalArgumentException if it has such a character
	 */
	static void check(String name) {
		for (int i = 0; i < name.length(); i++) {
			char character = name.charAt(i);
			boolean paired = i + 1 < name.length() && Character.isSurrogatePair(character, name.charAt(i + 1));
			if (paired) {
				i++;
			}
			else {
				int position = i;
				Assert.isTrue(character != NUL && !Character.isSurrogate(character),
						() -> refusal(name, character, position));
			}
		}
	}

	private static String refusal(String name, char character, int position) {
		String what = (character == NUL) ? "a NUL character" : "half of a surrogate pair";
		String shown = name.chars()
			.mapToObj((c) -> (c == NUL || Character.isSurrogate((char) c)) ? String.format("\\u%04x", c)
					: String.valueOf((char) c))
			.reduce("", String::concat);
		return "The name of a lock must be text that can be written as UTF-8, but '" + shown + "' has " + what
				+ " at position " + position + "; encode binary data in hexadecimal or Base64";
	}

}
