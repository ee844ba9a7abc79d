package io.github.lockboot.autoconfigure;

import java.net.UnknownHostException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.autoconfigure.FailureAnalyzerTests.OneMethod;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisSentinels;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failure messages if Redis refuses the application at startup.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureHintTests {

	private final RedisServer redis;

	StartupFailureHintTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void missingAndWrongPasswordsAreReported(CapturedOutput output) {
		try (RedisServer own = RedisFixture.newServer(RedisOptions.defaults().withPassword("secret"))) {
			start(own, "--spring.data.redis.password=guess");
			assertThat(output)
				.contains("WRONGPASS", "Correct spring.data.redis.username and spring.data.redis.password.")
				.doesNotContain("guess");
			start(own);
			assertThat(output).contains("NOAUTH");
		}
	}

	@Test
	void oneNodeOfAClusterIsReported(CapturedOutput output) {
		try (RedisCluster cluster = RedisFixture.newCluster(3, 0)) {
			start(cluster.masterOf("any"));
			assertThat(output).contains("APPLICATION FAILED TO START",
					"set spring.data.redis.cluster.nodes instead of host and port");
		}
	}

	@Test
	void sentinelIsReported(CapturedOutput output) {
		try (RedisSentinels sentinels = RedisFixture.newSentinels(1, 1)) {
			start(sentinels.sentinels().get(0));
			assertThat(output).contains("APPLICATION FAILED TO START", "set spring.data.redis.sentinel.master");
		}
	}

	@Test
	void missingRightsAreReported(CapturedOutput output) {
		try (RedisServer own = RedisFixture
			.newServer(RedisOptions.defaults().withUser("shop", "pw", "~lock:*", "&*", "+@all", "-zadd", "-time"))) {
			start(own, "--spring.data.redis.username=shop", "--spring.data.redis.password=pw",
					"--lock.redis.command-timeout=20s");
			assertThat(output).contains("APPLICATION FAILED TO START", "The Redis of the locks refuses", "+time +zadd",
					"docs/redis.md#rights");
		}
	}

	/** {host} and {port} are those of a server, and the texts are in the report. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					redis.redlock.nodes={host}:{port},localhost:{port},127.0.0.1:1 redis.command-timeout=20s | are the same Redis server; {host}:{port}; localhost:{port}; lock.redis.redlock.nodes: an odd number of independent masters
					data.database=99 data.host={host} data.port={port}              | DB index is out of range; Correct spring.data.redis.database
					data.cluster.nodes={host}:{port}                                | correct spring.data.redis.cluster.nodes; The application is configured to use Redis at {host}:{port}.
					data.sentinel.master=shop data.sentinel.nodes={host}:{port}     | which must be Sentinels
					data.sentinel.master=shop data.sentinel.nodes={host}:1          | Correct spring.data.redis.sentinel.nodes
					""")
	void anotherServerThanConfiguredIsReported(String properties, String texts, CapturedOutput output) {
		UnaryOperator<String> named = (text) -> text.replace("{host}", this.redis.host())
			.replace("{port}", String.valueOf(this.redis.port()));
		StartFailures.start(OneMethod.class,
				Stream.of(named.apply(properties).split(" "))
					.map((property) -> property.startsWith("data.") ? "--spring.data.redis." + property.substring(5)
							: "--lock." + property)
					.toArray(String[]::new));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(named.apply(texts).split("; "))
			.doesNotContain("can't be reached: null");
	}

	@Test
	void unknownMasterIsReported(CapturedOutput output) {
		try (RedisSentinels sentinels = RedisFixture.newSentinels(1, 1)) {
			StartFailures.start(OneMethod.class, "--spring.data.redis.sentinel.master=shop",
					"--spring.data.redis.sentinel.nodes=" + String.join(",", sentinels.nodes()));
			assertThat(output).contains("masterId shop", "spring.data.redis.sentinel.master");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					NOPERM this user has no permissions to run the 'role' command  | docs/redis.md
					ERR AUTH <password> called without any password configured     | spring.data.redis.password
					DENIED Redis is running in protected mode because              | 'protected-mode'
					ERR max number of clients reached                              | raise 'maxclients'
					READONLY You can't write against a read only replica           | read-only replica: set spring.data.redis.host
					OOM command not allowed when used memory > 'maxmemory'         | raise its 'maxmemory'
					LOADING Redis is loading the dataset in memory                 | still loading its data
					CLUSTERDOWN The cluster is down                                | CLUSTER INFO
					MASTERDOWN Link with MASTER is down                            | to the master
					Connection closed prematurely                                  | spring.data.redis.ssl.enabled
					Connection refused: localhost/127.0.0.1:1                      | Start Redis
					""")
	void errorOfRedisIsHinted(String error, String action) {
		assertThat(action(new IllegalStateException(error))).contains(action);
	}

	@Test
	void certificatesAndUnknownHostsAreRecognizedByTheirExceptions() {
		assertThat(action(new SSLHandshakeException("PKIX"))).contains("spring.data.redis.ssl.bundle");
		assertThat(action(new UnknownHostException("no.such.host"))).contains("spring.data.redis.host");
	}

	private static String action(Exception reason) {
		return new StartupFailureHint(new MockEnvironment()).action(
				new LockUnavailableException(null, "Redis can't be reached", new IllegalStateException("no", reason)));
	}

	private void start(RedisServer server, String... arguments) {
		Stream<String> address = Stream.of("--spring.data.redis.host=" + server.host(),
				"--spring.data.redis.port=" + server.port());
		StartFailures.start(OneMethod.class, Stream.concat(address, Stream.of(arguments)).toArray(String[]::new));
	}

}
