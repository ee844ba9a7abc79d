package io.github.lockboot.cache.protocol;

import java.util.Arrays;
import java.util.List;

import io.github.lockboot.redis.connection.LuaScript;

/**
 * The scripts of the cache. The contract of each is the header of its file.
 */
enum CacheScript {

	ACQUIRE("acquire.lua"), STORE("wake.lua", "store.lua"), ABANDON("wake.lua", "abandon.lua"), RENEW("renew.lua"),
	EVICT("wake.lua", "evict.lua"), STEP("wake.lua", "version.lua", "step.lua"), PUT("wake.lua", "put.lua"),
	PUT_IF_NEWER("wake.lua", "version.lua", "put-if-newer.lua"), EPOCH("epoch.lua"), CLEAR("clear.lua");

	private final LuaScript script;

	CacheScript(String... files) {
		this.script = LuaScript.read(CacheScript.class, files);
	}

	LuaScript script() {
		return this.script;
	}

	static List<LuaScript> all() {
		return Arrays.stream(values()).map(CacheScript::script).toList();
	}

}
