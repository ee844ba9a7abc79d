package io.github.lockboot.simulation.exhaustive;

import java.util.List;

/**
 * A request, a reply or a message that is under way.
 *
 * @param attempt the number of the attempt that it is from, or for
 * @param call the script, or {@code grant} or {@code taken}
 * @param words the arguments of a request, or what a reply or a message contains
 * @param sentMillis when the request was sent
 */
record Packet(Kind kind, int attempt, String call, List<Object> words, long sentMillis) {

	enum Kind {

		REQUEST, REPLY, MESSAGE

	}

	long number(int index) {
		return (this.words.get(index) instanceof Long number) ? number
				: Long.parseLong(String.valueOf(this.words.get(index)));
	}

}
