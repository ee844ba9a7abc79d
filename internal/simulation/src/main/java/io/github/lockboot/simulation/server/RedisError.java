package io.github.lockboot.simulation.server;

/**
 * An error as a reply.
 *
 * @param text with its code, for example {@code NOSCRIPT No matching script.}
 */
public record RedisError(String text) {

	@Override
	public String toString() {
		return "(error) " + this.text;
	}

}
