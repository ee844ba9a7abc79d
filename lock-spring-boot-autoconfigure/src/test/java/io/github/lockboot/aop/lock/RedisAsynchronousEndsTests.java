package io.github.lockboot.aop.lock;

import java.util.List;

import org.junit.jupiter.api.Tag;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

@Tag("long")
class RedisAsynchronousEndsTests extends AsynchronousEndsContract {

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		RedisLockSettings settings = RedisLockSettings.defaults().withKeyPrefix("ends:").withLockDefaults(defaults);
		return new RedisLockTemplate(Applications.of(RedisFixture.shared()), settings, listeners);
	}

}
