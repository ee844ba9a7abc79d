package io.github.lockboot.simulation.server;

/**
 * Gets the messages of a server, in the order in which they are published.
 */
@FunctionalInterface
public interface Listener {

	/**
	 * A message to a connection that subscribes to its channel.
	 * @param connection the number of the connection
	 * @param kind {@code message}, or {@code smessage} on a sharded channel
	 */
	void message(int connection, String kind, String channel, String message);

}
