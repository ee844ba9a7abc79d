package io.github.lockboot.redis.transport;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends with one system call what several threads have written at the same time, where
 * Lettuce makes one for each command. A command that comes alone does not wait for
 * others.
 */
final class JointFlushes {

	private static final int MOST_COMMANDS = 256;

	private JointFlushes() {
	}

	/**
	 * Let each connection flush so.
	 * @param next what else is done to each connection
	 * @return both in one
	 */
	static NettyCustomizer onEachConnection(NettyCustomizer next) {
		return new NettyCustomizer() {

			@Override
			public void afterBootstrapInitialized(Bootstrap bootstrap) {
				next.afterBootstrapInitialized(bootstrap);
			}

			@Override
			public void afterChannelInitialized(Channel channel) {
				channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_COMMANDS, true));
				next.afterChannelInitialized(channel);
			}

		};
	}

}
