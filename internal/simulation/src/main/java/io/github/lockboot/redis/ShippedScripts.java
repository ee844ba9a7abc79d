package io.github.lockboot.redis;

import java.util.List;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.redis.connection.LuaScript;

/**
 * The scripts of the locks, for the simulation.
 */
@NullMarked
public final class ShippedScripts {

	/** The keys of one lock, as scripts get them. */
	public static final List<String> KEYS = List.of(new LockKeys("lock:").of("a"));

	/** The prefix of the channels of all JVMs. */
	public static final String CHANNELS = new LockKeys("lock:").channelPrefix();

	public static final List<LuaScript> ALL = LockScripts.ALL;

	public static final LuaScript ACQUIRE = LockScripts.ACQUIRE;

	public static final LuaScript KEEP_QUEUED = LockScripts.KEEP_QUEUED;

	public static final LuaScript RENEW = LockScripts.RENEW;

	public static final LuaScript EXTEND = LockScripts.EXTEND;

	public static final LuaScript RELEASE = LockScripts.RELEASE;

	public static final LuaScript DOWNGRADE = LockScripts.DOWNGRADE;

	public static final LuaScript FORCE = LockScripts.FORCE;

	public static final LuaScript INSPECT = LockScripts.INSPECT;

	public static final LuaScript BATCH = LockScripts.BATCH;

	private ShippedScripts() {
	}

}
