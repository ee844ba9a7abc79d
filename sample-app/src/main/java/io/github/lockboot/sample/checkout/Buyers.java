package io.github.lockboot.sample.checkout;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

import io.github.lockboot.LockException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.sample.crowd.Crowd;
import io.github.lockboot.sample.feed.EventFeed;

/**
 * Two buyers of this instance. Each buys one piece after the other, except while a run is
 * measured.
 */
@Component
class Buyers {

	private static final int COUNT = 2;

	private final AtomicInteger active = new AtomicInteger();

	private final AsyncTaskExecutor threads;

	private final Checkout checkout;

	private final EventFeed feed;

	private final Crowd crowd;

	private volatile boolean closed;

	Buyers(AsyncTaskExecutor applicationTaskExecutor, Checkout checkout, EventFeed feed, Crowd crowd) {
		this.threads = applicationTaskExecutor;
		this.checkout = checkout;
		this.feed = feed;
		this.crowd = crowd;
	}

	@Scheduled(fixedDelay = 200)
	void begin() {
		while (mayBuy() && this.active.get() < COUNT) {
			this.active.incrementAndGet();
			this.threads.execute(this::buyUntilARun);
		}
	}

	private boolean mayBuy() {
		return !this.closed && !this.crowd.isBusy();
	}

	/** Before the pool of connections is closed, which would wait for the buyers. */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed = true;
	}

	private void buyUntilARun() {
		try {
			while (mayBuy() && !Thread.currentThread().isInterrupted()) {
				buy();
				pause(50, 400);
			}
		}
		finally {
			this.active.decrementAndGet();
		}
	}

	private void buy() {
		try {
			this.checkout.sell("lamp");
		}
		catch (LockLostException ex) {
			this.feed.publish("refused", Map.of("text", String.valueOf(ex.getMessage())));
		}
		catch (LockException | DataAccessException | TransactionException ex) {
			this.feed.publish("trouble", Map.of("text", String.valueOf(ex.getMessage())));
			pause(400, 600);
		}
	}

	private static void pause(int minMillis, int maxMillis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(minMillis, maxMillis)));
	}

}
