package io.github.lockboot.redis;

import java.util.Arrays;
import java.util.List;

import io.github.lockboot.redis.connection.LuaScript;

/**
 * The scripts of the locks. The contract of each is the header of its file.
 */
enum LockScript {

	ACQUIRE("times.lua", "acquire-free.lua", "grant.lua", "queue.lua", "acquire.lua"),
	KEEP_QUEUED("times.lua", "grant.lua", "queue.lua", "keep-queued.lua"), RENEW("times.lua", "grant.lua", "renew.lua"),
	RELEASE("times.lua", "release-last.lua", "grant.lua", "queue.lua", "release.lua"),
	DOWNGRADE("times.lua", "grant.lua", "downgrade.lua"), FORCE("times.lua", "grant.lua", "force.lua"),
	INSPECT("times.lua", "grant.lua", "inspect.lua"), RIGHTS("rights.lua");

	private final LuaScript script;

	LockScript(String... files) {
		this.script = LuaScript.read(LockScript.class, files);
	}

	LuaScript script() {
		return this.script;
	}

	static List<LuaScript> all() {
		return Arrays.stream(values()).map(LockScript::script).toList();
	}

}
