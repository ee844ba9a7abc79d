package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.util.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

@RedisTest
class PrivateClientTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration LIMIT = Duration.ofSeconds(10);

	@Test
	void usesDatabaseAndClientNameOfTheApplication(RedisServer redis) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(redis.host(), redis.port());
		server.setDatabase(3);
		LettuceClientConfiguration theirs = LettuceClientConfiguration.builder().clientName("shop").build();
		try (PrivateClient client = client(new LettuceConnectionFactory(server, theirs));
				StatefulRedisConnection<String, String> connection = client.serverClient().connect()) {
			assertThat(connection.async().clientGetname().toCompletableFuture()).succeedsWithin(LIMIT)
				.isEqualTo("shop-locks");
			assertThat(connection.async().clientList().toCompletableFuture()).succeedsWithin(LIMIT, STRING)
				.contains("db=3 ");
		}
	}

	@Test
	void needsNoStartOfTheApplicationsFactoryAndDoesNotChangeIt(RedisServer redis) {
		LettuceConnectionFactory application = Applications.of(redis);
		client(application).close();
		assertThat(application.isRunning()).isFalse();
		application.start();
		client(application).close();
		assertThat(application.getConnection().ping()).isEqualTo("PONG");
		application.destroy();
	}

	@Test
	void keepsTheApplicationsOptionsExceptForThoseThatLocksNeed(RedisServer redis) {
		ClientOptions theirs = ClientOptions.builder()
			.pingBeforeActivateConnection(false)
			.autoReconnect(false)
			.requestQueueSize(1)
			.socketOptions(SocketOptions.builder().connectTimeout(Duration.ofSeconds(30)).tcpNoDelay(false).build())
			.build();
		try (PrivateClient client = client(application(redis, theirs))) {
			ClientOptions options = client.client().getOptions();
			assertThat(options.isPingBeforeActivateConnection()).isFalse();
			assertThat(options.getSocketOptions().isTcpNoDelay()).isFalse();
			assertThat(options.isAutoReconnect()).isTrue();
			assertThat(options.getRequestQueueSize()).isEqualTo(ClientOptions.DEFAULT_REQUEST_QUEUE_SIZE);
			assertThat(options.getSocketOptions().getConnectTimeout()).isEqualTo(Duration.ofSeconds(3));
		}
	}

	@Test
	void changesOfOptionsOverrideTheApplicationsExceptForThoseThatLocksNeed(RedisServer redis) {
		ConnectionSettings settings = ConnectionSettings.of(Applications.of(redis)).with((resources) -> {
		}, (options) -> options.pingBeforeActivateConnection(false).autoReconnect(false));
		try (PrivateClient client = PrivateClient.of(settings, "orders", "locks", SECOND)) {
			assertThat(client.client().getOptions().isPingBeforeActivateConnection()).isFalse();
			assertThat(client.client().getOptions().isAutoReconnect()).isTrue();
		}
	}

	@Test
	void keepsAShorterConnectTimeout(RedisServer redis) {
		ClientOptions theirs = ClientOptions.builder()
			.socketOptions(SocketOptions.builder().connectTimeout(Duration.ofMillis(200)).build())
			.build();
		try (PrivateClient client = client(application(redis, theirs))) {
			assertThat(client.client().getOptions().getSocketOptions().getConnectTimeout())
				.isEqualTo(Duration.ofMillis(200));
		}
	}

	@Test
	void allConnectionsShareTwoThreadsThatEndWithThem(RedisServer redis) {
		Set<Thread> before = threads();
		Set<Thread> started;
		try (PrivateClient client = client(Applications.of(redis))) {
			for (int i = 0; i < 3; i++) {
				client.serverClient().connect();
				client.serverClient().connectPubSub();
				client.schedule(() -> {
				}, 0);
			}
			started = threads();
			started.removeAll(before);
			assertThat(started).extracting(Thread::getName)
				.satisfiesExactlyInAnyOrder((name) -> assertThat(name).startsWith("lettuce-"),
						(name) -> assertThat(name).isEqualTo("lock-reconnect"));
		}
		Awaitility.await().until(() -> started.stream().noneMatch(Thread::isAlive));
	}

	@Test
	void mayBeClosedTwice(RedisServer redis) {
		PrivateClient client = client(Applications.of(redis));
		client.serverClient().connect();
		client.close();
		assertThatNoException().isThrownBy(client::close);
	}

	/**
	 * The connect timeout would close a channel whose thread has ended.
	 */
	@Test
	void timeLimitsEndBeforeConnectionsDo(RedisServer redis) {
		CompletableFuture<Boolean> endedFirst = new CompletableFuture<>();
		try (PrivateClient client = client(Applications.of(redis))) {
			Timer timer = client.client().getResources().timer();
			client.serverClient().addListener(new RedisConnectionStateListener() {

				@Override
				public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
					endedFirst.complete(hasEnded(timer));
				}

			});
			client.serverClient().connect();
		}
		assertThat(endedFirst).succeedsWithin(LIMIT).isEqualTo(true);
	}

	private static boolean hasEnded(Timer timer) {
		try {
			timer.newTimeout((timeout) -> {
			}, 1, TimeUnit.SECONDS).cancel();
			return false;
		}
		catch (IllegalStateException ex) {
			return true;
		}
	}

	/** Lettuce and Spring do not copy the filter with such options. */
	@Test
	void aClusterWithALimitOfRedirectionsReplaysNothing() {
		RedisClusterConfiguration nodes = new RedisClusterConfiguration(List.of("127.0.0.1:1"));
		nodes.setMaxRedirects(3);
		try (PrivateClient client = client(new LettuceConnectionFactory(nodes))) {
			ClusterClientOptions options = (ClusterClientOptions) client.client().getOptions();
			assertThat(options.getMaxRedirects()).isEqualTo(3);
			Command<String, String, String> command = new Command<>(CommandType.PING, null);
			assertThat(options.getReplayFilter().test(command)).isTrue();
			assertThat(command.isDone()).isTrue();
		}
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("lettuce-") || thread.getName().startsWith("lock-"))
			.collect(Collectors.toCollection(HashSet::new));
	}

	@Test
	void aNameStartsWithThatOfTheApplicationAndHasNoCharacterThatRedisRejects() {
		assertThat(PrivateClient.clientName("shop", "locks")).isEqualTo("shop-locks");
		assertThat(PrivateClient.clientName(null, "locks")).isEqualTo("locks");
		assertThat(PrivateClient.clientName("my sh\u00f6p\n", "locks")).isEqualTo("my-sh-p--locks");
	}

	private static PrivateClient client(LettuceConnectionFactory application) {
		ConnectionSettings settings = ConnectionSettings.of(application);
		return PrivateClient.of(settings, "orders", "locks", SECOND);
	}

	private static LettuceConnectionFactory application(RedisServer redis, ClientOptions options) {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()),
				LettuceClientConfiguration.builder().readFrom(ReadFrom.ANY).clientOptions(options).build());
	}

}
