package io.github.lockboot.test;

import java.util.List;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * Another node with locks in memory.
 */
class OtherNodeOnLocalLocksTests extends OtherNodeContract {

	@Override
	LockTemplate template(LockJournal journal) {
		return new LocalLockTemplate(LockDefaults.defaults(), List.of(journal));
	}

}
