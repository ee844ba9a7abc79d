package io.github.lockboot.redis.transport;

import java.util.function.Supplier;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;

/**
 * Gives each connection a handler that comes before all others.
 *
 * @param handler makes one
 * @param next what else is done to each connection, after that
 */
record FirstHandler(Supplier<ChannelHandler> handler, NettyCustomizer next) implements NettyCustomizer {

	@Override
	public void afterBootstrapInitialized(Bootstrap bootstrap) {
		this.next.afterBootstrapInitialized(bootstrap);
	}

	@Override
	public void afterChannelInitialized(Channel channel) {
		channel.pipeline().addFirst(this.handler.get());
		this.next.afterChannelInitialized(channel);
	}

}
