package io.github.lockboot.redis;

import java.util.List;

import io.github.lockboot.redis.connection.LuaScript;

/**
 * The scripts of the locks. The contract of each is the header of its file.
 */
final class LockScripts {

	static final LuaScript ACQUIRE = read("constants.lua", "acquire-first.lua", "handover.lua", "queue.lua",
			"acquire.lua");

	static final LuaScript KEEP_QUEUED = read("constants.lua", "handover.lua", "queue.lua", "keep-queued.lua");

	static final LuaScript RENEW = read("constants.lua", "handover.lua", "renew.lua");

	static final LuaScript EXTEND = read("extend.lua");

	static final LuaScript RELEASE = read("constants.lua", "release-last.lua", "handover.lua", "queue.lua",
			"release.lua");

	static final LuaScript DOWNGRADE = read("constants.lua", "handover.lua", "downgrade.lua");

	static final LuaScript FORCE = read("constants.lua", "handover.lua", "force.lua");

	static final LuaScript INSPECT = read("constants.lua", "handover.lua", "inspect.lua");

	static final LuaScript RIGHTS = read("rights.lua");

	static final LuaScript BATCH = read("constants.lua", "batch.lua");

	static final LuaScript.Batched ACQUIRE_IN_BATCH = new LuaScript.Batched(ACQUIRE, BATCH, 'a', 4, 3);

	static final LuaScript.Batched RELEASE_IN_BATCH = new LuaScript.Batched(RELEASE, BATCH, 'r', 4, 2);

	static final List<LuaScript> ALL = List.of(ACQUIRE, KEEP_QUEUED, RENEW, EXTEND, RELEASE, DOWNGRADE, FORCE, INSPECT,
			RIGHTS, BATCH);

	private LockScripts() {
	}

	private static LuaScript read(String... files) {
		return LuaScript.read(LockScripts.class, files);
	}

}
