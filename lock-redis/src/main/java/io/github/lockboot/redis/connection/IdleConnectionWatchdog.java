package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.protocol.CommandHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;

/**
 * Closes a connection on which a reply is missing and nothing was received for a time, so
 * that Lettuce reconnects. TCP detects a host that has crashed, or a firewall that has
 * dropped the connection, only after many minutes, even if Redis has long failed over.
 * The watchdog runs on the connection's own thread.
 */
final class IdleConnectionWatchdog extends IdleStateHandler {

	private final long limitNanos;

	/** Whether nothing was received since a command was sent. */
	private boolean waiting;

	private long waitingSinceNanos;

	/**
	 * Create a watchdog that reacts after the limit, and at the latest after twice the
	 * limit.
	 */
	IdleConnectionWatchdog(Duration limit) {
		super(limit.toNanos(), 0, 0, TimeUnit.NANOSECONDS);
		this.limitNanos = limit.toNanos();
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
		if (!this.waiting) {
			this.waiting = true;
			this.waitingSinceNanos = System.nanoTime();
		}
		super.write(context, message, promise);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
		this.waiting = false;
		super.channelRead(context, message);
	}

	@Override
	protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
		if (this.waiting ? System.nanoTime() - this.waitingSinceNanos >= this.limitNanos : lacksReplies(context)) {
			context.close();
		}
	}

	/**
	 * Return whether only some of the last commands were answered. No further command may
	 * follow, since callers wait for these replies.
	 */
	private static boolean lacksReplies(ChannelHandlerContext context) {
		CommandHandler commands = context.pipeline().get(CommandHandler.class);
		return commands != null && !commands.getStack().isEmpty();
	}

}
