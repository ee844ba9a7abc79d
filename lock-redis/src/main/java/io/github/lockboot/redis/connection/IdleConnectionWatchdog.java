package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which a reply is missing and nothing was received for a time, so
 * that Lettuce reconnects. TCP detects a host that has crashed, or a firewall that has
 * dropped the connection, only after many minutes, even if Redis has long failed over.
 * The watchdog runs on the connection's own thread.
 */
final class IdleConnectionWatchdog extends IdleStateHandler {

	/** The first command without a reply when the connection was last idle. */
	private @Nullable RedisCommand<?, ?, ?> unanswered;

	/**
	 * Create a watchdog that reacts after the limit, and at the latest after twice the
	 * limit.
	 */
	IdleConnectionWatchdog(Duration limit) {
		super(limit.toNanos(), 0, 0, TimeUnit.NANOSECONDS);
	}

	@Override
	protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
		CommandHandler commands = context.pipeline().get(CommandHandler.class);
		RedisCommand<?, ?, ?> first = (commands != null) ? commands.getStack().peek() : null;
		if (first != null && first == this.unanswered) {
			context.close();
		}
		this.unanswered = first;
	}

}
