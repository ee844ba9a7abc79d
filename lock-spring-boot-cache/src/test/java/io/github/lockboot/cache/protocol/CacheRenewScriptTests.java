package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@DependsOnRedisVersion
class CacheRenewScriptTests extends CacheScriptTests {

	CacheRenewScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theHolderExtendsItsLease() {
		this.client.acquire("a");
		assertThat(this.client.renew("a", 90_000)).containsExactly(1L);
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isGreaterThan(60_000);
	}

	@Test
	void anotherCallerDoesNotExtendTheLease() {
		this.client.acquire("a");
		assertThat(this.client.renew("b", 90_000)).containsExactly(0L);
		assertThat(this.client.remainingMillis(this.client.keys.lease())).isLessThanOrEqualTo(CacheScriptClient.LEASE);
	}

	@Test
	void anExpiredLeaseIsNotExtended() {
		assertThat(this.client.renew("a", 90_000)).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.lease())).isFalse();
	}

}
