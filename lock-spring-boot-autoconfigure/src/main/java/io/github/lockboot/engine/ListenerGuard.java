package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
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
 * All listeners as one. What one throws is logged, once for each listener, and goes no
 * further.
 */
final class ListenerGuard implements LockListener {

	private static final Log logger = LogFactory.getLog(ListenerGuard.class);

	private final List<LockListener> listeners;

	private final Set<LockListener> failed = ConcurrentHashMap.newKeySet();

	ListenerGuard(List<LockListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		tell((listener) -> listener.onAcquired(request, handle, waited));
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		tell((listener) -> listener.onNotAcquired(request, reason, waited));
	}

	@Override
	public void onRenewed(LockRequest request, LockHandle handle) {
		tell((listener) -> listener.onRenewed(request, handle));
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		tell((listener) -> listener.onLost(request, handle, reason));
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		tell((listener) -> listener.onReleased(request, handle, held));
	}

	private void tell(Consumer<LockListener> event) {
		for (LockListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				if (this.failed.add(listener)) {
					logger.warn("Lock listener " + listener.getClass().getName()
							+ " failed; the lock is not affected, further failures of it are not logged", ex);
				}
			}
		}
	}

}
