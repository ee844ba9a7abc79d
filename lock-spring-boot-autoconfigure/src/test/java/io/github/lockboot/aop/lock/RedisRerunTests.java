package io.github.lockboot.aop.lock;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

class RedisRerunTests extends RerunContract {

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withKeyPrefix("rerun-tests:")
			.withLockDefaults(defaults);
		return new RedisLockTemplate(Applications.of(RedisFixture.shared()), settings, listeners);
	}

}
