package io.github.lockboot.cache.redis;

import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.connection.ConnectionSettings;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cache on a master that is listed together with its replica.
 */
@Timeout(60)
class RedisCacheStaticMasterTests {

	private final RedisServer master = RedisFixture.newServer();

	private final RedisServer replica = RedisFixture.newServer(RedisOptions.defaults().replicaOf(this.master));

	private final CacheFixture fixture = new CacheFixture(application());

	private final RedisCacheTemplate cache = this.fixture.template();

	@AfterEach
	void close() {
		this.fixture.close();
		this.replica.close();
		this.master.close();
	}

	private ConnectionSettings application() {
		RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration(this.replica.host(),
				this.replica.port());
		nodes.addNode(this.master.host(), this.master.port());
		return new ConnectionSettings(nodes, LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA).build());
	}

	@Test
	void noCommandUsesAReplica() {
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.replica.commandStats().calls()).doesNotContainKeys("get", "evalsha", "eval", "subscribe");
	}

	@Test
	void aReplicaThatLagsMakesNoReadStale() {
		this.cache.put(PRODUCT, 42, "old");
		this.master.awaitReplicas(1);
		this.replica.freeze();
		this.cache.evict("product", 42);
		assertThat(this.cache.get(PRODUCT, 42, () -> "new")).isEqualTo("new");
		this.replica.thaw();
	}

}
