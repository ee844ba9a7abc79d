package io.github.lockboot.autoconfigure;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.resource.ClientResources;

/**
 * Changes the Lettuce clients of the locks and of the cache, which are separate from the
 * client of the application. Any number of beans of this type are called, in their order,
 * for each client. The connections of the clients have the settings of the application's
 * connection factory; this interface is for changes that the application itself does not
 * need.
 *
 * @since 1.0.0
 */
public interface LettuceClientCustomizer {

	/**
	 * Change the resources, for example the recorder of latencies or the delay of
	 * reconnections. The event loop, the timer and the handlers of Netty are set
	 * afterwards.
	 * @param resources builder of the resources, with the values of the library and the
	 * resolvers of the application
	 */
	default void customize(ClientResources.Builder resources) {
	}

	/**
	 * Change the options, for example those of the socket. The options on which locks
	 * rely are set afterwards: reconnections, what happens to commands without a
	 * connection, time limits, and a connect timeout of at most 3 seconds.
	 * @param options builder of the options, with the values of the application
	 */
	default void customize(ClientOptions.Builder options) {
	}

}
