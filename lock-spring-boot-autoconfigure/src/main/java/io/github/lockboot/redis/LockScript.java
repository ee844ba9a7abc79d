package io.github.lockboot.redis;

import java.util.Arrays;
import java.util.List;

import io.github.lockboot.redis.transport.LuaScript;

/**
 * The scripts of the locks. The contract of each is the header of its file.
 */
enum LockScript {

	ACQUIRE("acquire.lua"), RENEW("renew.lua"), RELEASE("release.lua"), DOWNGRADE("downgrade.lua"), FORCE("force.lua"),
	INSPECT("inspect.lua");

	private final LuaScript script;

	LockScript(String file) {
		this.script = LuaScript.read(LockScript.class, "grant.lua", file);
	}

	LuaScript script() {
		return this.script;
	}

	static List<LuaScript> all() {
		return Arrays.stream(values()).map(LockScript::script).toList();
	}

}
