package io.github.lockboot.simulation.server;

/**
 * A status as a reply, such as {@code OK}.
 *
 * @param text the status
 */
public record RedisStatus(String text) {

	static final RedisStatus OK = new RedisStatus("OK");

	@Override
	public String toString() {
		return this.text;
	}

}
