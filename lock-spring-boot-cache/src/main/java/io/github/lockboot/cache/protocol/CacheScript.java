package io.github.lockboot.cache.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.redis.connection.RedisConnection;

/**
 * The scripts of the cache. The header of each file is its contract.
 */
enum CacheScript {

	ACQUIRE("acquire.lua"), STORE("wake.lua", "store.lua"), ABANDON("wake.lua", "abandon.lua"), RENEW("renew.lua"),
	EVICT("wake.lua", "evict.lua"), STEP("wake.lua", "step.lua"), PUT("wake.lua", "put.lua"), EPOCH("epoch.lua"),
	CLEAR("clear.lua");

	private final LuaScript script;

	CacheScript(String... files) {
		this.script = LuaScript.read(CacheScript.class, files);
	}

	LuaScript script() {
		return this.script;
	}

	/** Run the script. Arguments that are not bytes are sent as their text. */
	CompletableFuture<List<Object>> run(RedisConnection<byte[]> redis, String[] keys, Object... arguments) {
		return redis.run(this.script, keys, Arrays.stream(arguments).map(CacheScript::bytes).toArray(byte[][]::new));
	}

	private static byte[] bytes(Object argument) {
		return (argument instanceof byte[] bytes) ? bytes : argument.toString().getBytes(StandardCharsets.UTF_8);
	}

	static List<LuaScript> all() {
		return Arrays.stream(values()).map(CacheScript::script).toList();
	}

}
