package io.github.lockboot.sample.checkout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.stereotype.Component;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.sample.feed.EventFeed;

/**
 * A lock listener that publishes what happens to the lock of the checkout.
 */
@Component
class CheckoutLocks implements LockListener {

	private final AtomicLong calls = new AtomicLong();

	private final EventFeed feed;

	CheckoutLocks(EventFeed feed) {
		this.feed = feed;
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		return request.name().startsWith("checkout:") ? new Call(this.calls.incrementAndGet()) : this;
	}

	private final class Call implements LockListener {

		private final long id;

		private Call(long id) {
			this.id = id;
			CheckoutLocks.this.feed.publish("requested", Map.of("call", id));
		}

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
			// as text: the last digits would be lost in a number of JavaScript
			publish("acquired", Map.of("call", this.id, "token", Long.toString(handle.fencingToken()), "lease",
					handle.remainingLease().toMillis(), "reason", String.valueOf(request.reason())));
		}

		@Override
		public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
			publish("not-acquired", Map.of("call", this.id, "text", String.valueOf(reason.getMessage())));
		}

		@Override
		public void onRenewed(LockRequest request, LockHandle handle, Duration left) {
			publish("renewed", Map.of("call", this.id, "lease", handle.remainingLease().toMillis()));
		}

		@Override
		public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
			publish("lost", Map.of("call", this.id, "text", String.valueOf(reason.getMessage())));
		}

		@Override
		public void onReleased(LockRequest request, LockHandle handle, Duration held) {
			publish("released", Map.of("call", this.id));
		}

		private void publish(String kind, Map<String, ?> details) {
			CheckoutLocks.this.feed.publish(kind, details);
		}

	}

}
