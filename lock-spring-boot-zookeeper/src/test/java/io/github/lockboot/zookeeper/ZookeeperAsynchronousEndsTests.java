package io.github.lockboot.zookeeper;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.aop.lock.AsynchronousEndsContract;
import io.github.lockboot.engine.LockTemplate;

class ZookeeperAsynchronousEndsTests extends AsynchronousEndsContract {

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		return new ZookeeperLockTemplate(TestStores.settings().withKeyPrefix("ends:").withLockDefaults(defaults),
				listeners);
	}

	@Override
	protected Duration leaseTime() {
		return TestStores.defaults().leaseTime();
	}

	@Override
	protected int oneOf() {
		return 9;
	}

}
