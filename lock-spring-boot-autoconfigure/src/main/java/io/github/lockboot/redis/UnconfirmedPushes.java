package io.github.lockboot.redis;

import io.github.lockboot.engine.store.LockPushes;

/**
 * Lets a lock that was handed over count only when it has been asked for once more: a
 * grant comes with no time left. So what has to be true of a lock that is given out, such
 * as that replicas have it, is made true of one that is handed over too.
 */
final class UnconfirmedPushes implements LockPushes {

	private final LockPushes pushes;

	UnconfirmedPushes(LockPushes pushes) {
		this.pushes = pushes;
	}

	@Override
	public void granted(Grant grant) {
		this.pushes.granted(new Grant(grant.attempt().withLeaseMillis(0), grant.token(), grant.reserved(),
				grant.storeMicros(), grant.queued()));
	}

	@Override
	public void queuedBehind(String attempt) {
		this.pushes.queuedBehind(attempt);
	}

	@Override
	public void taken(String attempt) {
		this.pushes.taken(attempt);
	}

	@Override
	public void missed() {
		this.pushes.missed();
	}

}
