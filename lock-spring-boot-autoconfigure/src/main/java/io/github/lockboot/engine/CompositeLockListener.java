package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/**
 * All listeners as one. What one throws is logged, once for each class of listeners, and
 * goes no further.
 */
final class CompositeLockListener implements LockListener {

	private static final Log logger = LogFactory.getLog(CompositeLockListener.class);

	private final LockListener[] listeners;

	private final Set<Class<?>> failed;

	CompositeLockListener(List<LockListener> listeners) {
		this(listeners.toArray(LockListener[]::new), ConcurrentHashMap.newKeySet());
	}

	private CompositeLockListener(LockListener[] listeners, Set<Class<?>> failed) {
		this.listeners = listeners;
		this.failed = failed;
	}

	boolean isEmpty() {
		return this.listeners.length == 0;
	}

	/**
	 * A caller asks for a lock.
	 */
	@Override
	public CompositeLockListener onRequested(LockRequest request) {
		if (isEmpty()) {
			return this;
		}
		LockListener[] requested = this.listeners.clone();
		for (int i = 0; i < requested.length; i++) {
			requested[i] = requested(requested[i], request);
		}
		return new CompositeLockListener(requested, this.failed);
	}

	private LockListener requested(LockListener listener, LockRequest request) {
		try {
			return Objects.requireNonNull(listener.onRequested(request), "onRequested returned null");
		}
		catch (RuntimeException | Error ex) {
			failed(listener, ex);
			return listener;
		}
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		each((listener) -> listener.onAcquired(request, handle, waited));
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		each((listener) -> listener.onNotAcquired(request, reason, waited));
	}

	@Override
	public void onRenewed(LockRequest request, LockHandle handle, Duration lease, Duration left) {
		each((listener) -> listener.onRenewed(request, handle, lease, left));
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		each((listener) -> listener.onLost(request, handle, reason));
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		each((listener) -> listener.onReleased(request, handle, held));
	}

	private void each(Consumer<LockListener> event) {
		for (LockListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				failed(listener, ex);
			}
		}
	}

	private void failed(LockListener listener, Throwable failure) {
		if (this.failed.add(listener.getClass())) {
			logger.warn("Lock listener " + listener.getClass().getName()
					+ " failed; the lock is not affected, further failures of it are not logged", failure);
		}
	}

}
