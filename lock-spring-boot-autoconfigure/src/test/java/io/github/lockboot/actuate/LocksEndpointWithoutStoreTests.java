package io.github.lockboot.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.actuate.LocksDescriptor.TemplateDescriptor;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint while Redis is down.
 */
class LocksEndpointWithoutStoreTests {

	@Test
	void showsTheHoldOfThisInstanceAndWhyRedisIsUnavailable() {
		try (RedisServer redis = RedisFixture.newServer();
				RedisLockTemplate locks = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(),
						List.of())) {
			LocksEndpoint endpoint = new LocksEndpoint(Map.of("locks", locks), new LongestWaits());
			LockHandle held = locks.acquire(LockRequest.of("order:42").leaseTime(Duration.ofMinutes(5)));
			LockHandle another = locks.acquire(LockRequest.of("order:43").leaseTime(Duration.ofMinutes(5)));
			redis.kill();
			TemplateDescriptor shown = Objects
				.requireNonNull(endpoint.lock(new String[] { "order:42" }, null).templates().get("locks"));
			assertThat(shown.held()).singleElement()
				.satisfies((hold) -> assertThat(hold.fencingToken()).isEqualTo(held.fencingToken()));
			assertThat(shown.store()).isNull();
			assertThat(shown.storeError()).isNotBlank();
			TemplateDescriptor all = Objects
				.requireNonNull(endpoint.locks(null, null, "cluster", null, null, null).templates().get("locks"));
			assertThat(all.held()).hasSize(2);
			assertThat(all.cluster()).isNull();
			assertThat(all.storeError()).contains("could not be listed");
			assertThat(another.isHeld()).isTrue();
		}
	}

}
