package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A hash of a state that is equal for states with an equal future: times and tokens count
 * by their distance from the present, packets without their order.
 */
final class Fingerprint {

	private static final int DIGITS_OF_MILLIS = 13;

	private static final int DIGITS_OF_MICROS = 16;

	private final Calls calls;

	Fingerprint(Calls calls) {
		this.calls = calls;
	}

	long of(State state) {
		StringBuilder text = new StringBuilder(this.calls.canonical(state));
		state.attempts().forEach((attempt) -> text.append(attempt));
		List<String> packets = new ArrayList<>();
		state.packets().forEach((packet) -> packets.add(packet.toString()));
		Collections.sort(packets);
		text.append(packets).append(state.tick()).append(' ').append(state.crashed()).append(' ');
		text.append(Math.max(0, state.highest())).append(' ').append(state.faults()).append(state.crashes());
		text.append(state.failOvers()).append(state.forces()).append(state.keys().equals(state.replica()));
		return hash(text, Calls.now(state));
	}

	private static long hash(CharSequence text, long now) {
		long hash = 0xcbf29ce484222325L;
		for (int i = 0; i < text.length();) {
			int end = i;
			long number = 0;
			while (end < text.length() && Character.isDigit(text.charAt(end))) {
				number = number * 10 + text.charAt(end++) - '0';
			}
			int digits = end - i;
			if (digits == 0) {
				hash = mixed(hash, text.charAt(end++));
			}
			else if (digits == DIGITS_OF_MICROS) {
				hash = mixed(hash, number - now * 1000 + (1L << 40));
			}
			else {
				hash = mixed(hash, (digits == DIGITS_OF_MILLIS) ? number - now + (1L << 41) : number);
			}
			i = end;
		}
		return hash;
	}

	private static long mixed(long hash, long value) {
		long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
		return mixed ^ (mixed >>> 29);
	}

}
