package io.github.lockboot;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;

/**
 * Locks nothing and records the requests.
 */
public class RecordingLockOperations implements LockOperations {

	private final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	private final List<String> events = new CopyOnWriteArrayList<>();

	public List<LockRequest> requests() {
		return this.requests;
	}

	public LockRequest request() {
		if (this.requests.size() != 1) {
			throw new AssertionError("Expected one request but there are " + this.requests);
		}
		return this.requests.get(0);
	}

	public List<String> names() {
		return this.requests.stream().flatMap((request) -> request.names().stream()).toList();
	}

	public List<String> events() {
		return this.events;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockCallback<T, X> section)
			throws X {
		this.requests.add(request);
		this.events.add("lock");
		try {
			return section.call();
		}
		finally {
			this.events.add("unlock");
		}
	}

	@Override
	public <X extends Throwable> boolean tryExecute(LockRequest request, LockAction<X> section) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LockHandle tryAcquire(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<@Nullable LockHandle> tryAcquireAsync(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LeasedLock asLock(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ReadWriteLock asReadWriteLock(String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public long fencingToken(String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void ensureHeld(String name) {
	}

	@Override
	public LockState inspect(String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LockState> list(String pattern, @Nullable String after, int limit) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean forceRelease(String name) {
		throw new UnsupportedOperationException();
	}

}
