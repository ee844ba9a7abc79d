package io.github.lockboot.redis;

import java.util.List;

import io.github.lockboot.redis.connection.LuaScript;

/**
 * The scripts of the locks. The contract of each is the header of its file.
 */
final class LockScripts {

	static final LuaScript ACQUIRE = read("times.lua", "acquire-free.lua", "grant.lua", "queue.lua", "acquire.lua");

	static final LuaScript KEEP_QUEUED = read("times.lua", "grant.lua", "queue.lua", "keep-queued.lua");

	static final LuaScript RENEW = read("times.lua", "grant.lua", "renew.lua");

	static final LuaScript RELEASE = read("times.lua", "release-last.lua", "grant.lua", "queue.lua", "release.lua");

	static final LuaScript DOWNGRADE = read("times.lua", "grant.lua", "downgrade.lua");

	static final LuaScript FORCE = read("times.lua", "grant.lua", "force.lua");

	static final LuaScript INSPECT = read("times.lua", "grant.lua", "inspect.lua");

	static final LuaScript RIGHTS = read("rights.lua");

	static final List<LuaScript> ALL = List.of(ACQUIRE, KEEP_QUEUED, RENEW, RELEASE, DOWNGRADE, FORCE, INSPECT, RIGHTS);

	private LockScripts() {
	}

	private static LuaScript read(String... files) {
		return LuaScript.read(LockScripts.class, files);
	}

}
