package io.github.lockboot.redis.redlock;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.aop.lock.RerunContract;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.connection.Applications;

class RedlockRerunTests extends RerunContract {

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		Masters masters = Masters.shared();
		return new RedlockTemplate(Applications.of(masters.get(0)), masters.nodes(),
				RedisLockSettings.defaults().withKeyPrefix("rerun-tests:").withLockDefaults(defaults), listeners);
	}

}
