package io.github.lockboot.aop.lock;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockListener;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.local.LocalLockTemplate;

class LocalRerunTests extends RerunContract {

	@Override
	protected LockTemplate template(LockDefaults defaults, List<LockListener> listeners) {
		return new LocalLockTemplate(defaults, listeners);
	}

}
