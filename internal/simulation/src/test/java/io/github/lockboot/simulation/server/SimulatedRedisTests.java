package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.lockboot.simulation.server.SimulatedRedis.Snapshot;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the simulated server does that the scripts of locks do not show.
 */
class SimulatedRedisTests {

	@AutoClose
	private final LuaMachine lua = new LuaMachine();

	private final List<String> messages = new ArrayList<>();

	private long micros = 1_700_000_000_000_000L;

	private final SimulatedRedis server = new SimulatedRedis(this.lua, Version.SEVEN, () -> this.micros,
			(connection, kind, channel, message) -> this.messages.add(connection + " " + channel + " " + message));

	private final int connection = this.server.connect(Rights.ALL);

	@Test
	void aScriptReturnsWhatItConvertsTo() {
		assertThat(eval("return {1.9, 'a', true, false, {2}, redis.status_reply('OK'), nil, 3}"))
			.isEqualTo(Arrays.asList(1L, "a", 1L, null, List.of(2L), new RedisStatus("OK")));
	}

	@Test
	void aNumberIsAnArgumentWithAllItsDigits() {
		eval("redis.call('SET', 'k', 8765432109876543)");
		assertThat(run("GET", "k")).isEqualTo("8765432109876543");
		eval("redis.call('SET', 'k', 1.5)");
		assertThat(run("GET", "k")).isEqualTo("1.5");
	}

	@Test
	void bytesAreKeptAsTheyAre() {
		String bytes = "\u0000a\u00e4\u00ff";
		run("SET", "k", bytes);
		assertThat(eval("redis.call('SET', 'l', redis.call('GET', 'k')) return redis.call('GET', 'l')"))
			.isEqualTo(bytes);
	}

	@Test
	void aScriptHasNoGlobals() {
		assertThat(eval("x = 1")).asString().contains("attempted to create global variable 'x'");
		assertThat(eval("return y")).asString().contains("attempted to access nonexistent global variable 'y'");
	}

	@Test
	void aFailedCallEndsTheScriptAndAProtectedOneReturnsItsError() {
		run("RPUSH", "l", "a");
		assertThat(eval("redis.call('GET', 'l') return 1")).asString().contains("WRONGTYPE");
		assertThat(eval("return redis.pcall('GET', 'l').err")).asString().startsWith("WRONGTYPE");
		assertThat(eval("return pcall(redis.call, 'GET', 'l') and 1 or 2")).isEqualTo(2L);
	}

	@Test
	void anExpiredKeyIsGone() {
		run("SET", "k", "v", "PX", "10");
		this.micros += 10_000;
		assertThat(run("PTTL", "k")).isEqualTo(0L);
		this.micros += 1_000;
		assertThat(run("EXISTS", "k")).isEqualTo(0L);
		assertThat(this.server.dump()).isEmpty();
	}

	@Test
	void outOfMemoryAScriptGrowsOnlyAfterAWriteThatIsPermitted() {
		this.server.setOutOfMemory(true);
		assertThat(run("SET", "k", "v")).asString().contains("OOM");
		assertThat(eval("return redis.call('SET', 'k', 'v')")).asString().contains("OOM");
		assertThat(eval("redis.call('DEL', 'k') return redis.call('SET', 'k', 'v')")).isEqualTo(RedisStatus.OK);
	}

	@Test
	void aReadOnlyServerRunsScriptsThatRead() {
		this.server.setReadOnly(true);
		assertThat(eval("return redis.call('EXISTS', 'k')")).isEqualTo(0L);
		assertThat(eval("return redis.call('DEL', 'k')")).asString().contains("READONLY");
	}

	@Test
	void aScriptIsUnknownAfterAFlush() {
		Object sha1 = run("SCRIPT", "LOAD", "return 1");
		assertThat(run("EVALSHA", String.valueOf(sha1), "0")).isEqualTo(1L);
		run("SCRIPT", "FLUSH");
		assertThat(run("EVALSHA", String.valueOf(sha1), "0")).asString().contains("NOSCRIPT");
	}

	@Test
	void aMessageReachesTheSubscribersInTheirOrder() {
		int other = this.server.connect(Rights.ALL);
		this.server.execute(other, "SUBSCRIBE", "c");
		this.server.execute(this.connection, "SUBSCRIBE", "c");
		assertThat(eval("return redis.call('PUBLISH', 'c', 'hello')")).isEqualTo(2L);
		this.server.disconnect(other);
		assertThat(run("PUBLISH", "c", "again")).isEqualTo(1L);
		assertThat(this.messages).containsExactly("2 c hello", "1 c hello", "1 c again");
	}

	@Test
	void aUserWithoutRightsIsRefused() {
		int other = this.server.connect(new Rights() {
			@Override
			public boolean mayReach(String channel) {
				return false;
			}
		});
		assertThat(this.server.execute(other, "PUBLISH", "c", "m")).asString().contains("NOPERM");
		assertThat(this.server.execute(other, "EVAL", "return redis.pcall('PUBLISH', 'c', 'm').err", "0")).asString()
			.contains("The user executing the script can't publish");
		assertThat(this.server.execute(other, "EVAL", "return redis.acl_check_cmd('PUBLISH', 'c', 'm')", "0")).isNull();
	}

	@Test
	void aSnapshotKeepsItsValues() {
		run("HSET", "h", "a", "1");
		Snapshot snapshot = this.server.snapshot();
		String before = this.server.dump();
		run("HSET", "h", "b", "2");
		run("DEL", "h");
		this.server.restore(snapshot);
		assertThat(this.server.dump()).isEqualTo(before);
	}

	@Test
	void aCommandThatIsNotSimulatedFailsEvenInAProtectedCall() {
		assertThatThrownBy(() -> run("GEOADD", "k")).isInstanceOf(UnsupportedOperationException.class);
		assertThatThrownBy(() -> eval("return redis.pcall('GEOADD', 'k')"))
			.isInstanceOf(UnsupportedOperationException.class);
	}

	private @Nullable Object run(String command, String... arguments) {
		return this.server.execute(this.connection, command, arguments);
	}

	private @Nullable Object eval(String script) {
		return run("EVAL", script, "0");
	}

}
