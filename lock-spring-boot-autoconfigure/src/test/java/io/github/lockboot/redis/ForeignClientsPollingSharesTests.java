package io.github.lockboot.redis;

import io.github.lockboot.engine.LockClock;
import io.github.lockboot.engine.LockStore;
import io.github.lockboot.engine.PollingSharesContract;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.transport.Applications;
import io.github.lockboot.redis.transport.RedisTransport;

class ForeignClientsPollingSharesTests extends PollingSharesContract {

	@Override
	protected LockStore newStore(LockClock clock) {
		RedisLockSettings settings = RedisLockSettings.defaults().withForeignClients(true);
		return new RedisLockStore(RedisTransport.connect(Applications.of(RedisFixture.shared()),
				settings.commandTimeout(), LockScript.all()), clock, settings);
	}

}
