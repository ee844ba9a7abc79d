package io.github.lockboot.redis.transport;

import io.lettuce.core.resource.NettyCustomizer;
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
		return new FirstHandler(() -> new FlushConsolidationHandler(MOST_COMMANDS, true), next);
	}

}
