package io.github.lockboot.test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.util.Assert;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/**
 * Records the events of an application's locks: locks that it acquired, released, lost,
 * or failed to acquire. {@link LockAssertions} has assertions for the journal. The
 * journal does not contain the locks of {@link OtherNode}. Thread-safe.
 * <p>
 * The journal is a bean of the application, and is cleared before each test. The bean
 * records the events of a test whose class has a field or a parameter of the type
 * {@code LockJournal} or {@code OtherNode}, with the test context of Spring, and nothing
 * elsewhere, so that it slows no load test. In an {@code ApplicationContextRunner} define
 * the bean yourself, and for a template that is not a bean, pass the journal as a
 * listener to the template. The journal keeps the last 10,000 events.
 *
 * @since 1.0.0
 */
public final class LockJournal implements LockListener {

	private static final int MOST_EVENTS = 10_000;

	private volatile boolean recording;

	/** Guarded by itself. */
	private final Deque<LockEvent> events = new ArrayDeque<>();

	/** How many earlier events were dropped; guarded by the events. */
	private long dropped;

	/** The current holds. */
	private final Map<LockHandle, CompletableFuture<Void>> holds = new ConcurrentHashMap<>();

	/**
	 * Create an empty journal.
	 */
	public LockJournal() {
		this(true);
	}

	LockJournal(boolean recording) {
		this.recording = recording;
	}

	/**
	 * Return the requests whose locks were acquired.
	 * @return the requests in the order of the acquisitions, without re-entrant
	 * acquisitions
	 */
	public List<LockRequest> acquired() {
		return requests(LockEvent.Kind.ACQUIRED);
	}

	List<LockRequest> requests(LockEvent.Kind kind) {
		Assert
			.state(this.recording, "This journal records nothing, because the test class has no field and no parameter"
					+ " of the type LockJournal, or no test context of Spring: in this case define a bean of the type"
					+ " LockJournal");
		synchronized (this.events) {
			Assert.state(this.dropped == 0, "This journal keeps " + MOST_EVENTS
					+ " events and has dropped earlier ones: clear it before the calls that the test checks");
			return this.events.stream().filter((event) -> event.kind() == kind).map(LockEvent::request).toList();
		}
	}

	/**
	 * Return the events.
	 * @return the last 10,000 events since the journal was cleared, in order
	 */
	public List<LockEvent> events() {
		synchronized (this.events) {
			return List.copyOf(this.events);
		}
	}

	/** Forget all events, and record from now on, or not. */
	void restart(boolean recording) {
		this.recording = recording;
		clear();
	}

	/**
	 * Remove all events.
	 */
	public void clear() {
		synchronized (this.events) {
			this.events.clear();
			this.dropped = 0;
		}
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		if (this.recording) {
			this.holds.put(handle, new CompletableFuture<>());
			record(LockEvent.Kind.ACQUIRED, request);
		}
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		record(LockEvent.Kind.NOT_ACQUIRED, request);
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		record(LockEvent.Kind.LOST, request);
		end(handle);
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		record(LockEvent.Kind.RELEASED, request);
		end(handle);
	}

	/**
	 * Return the end of the current holds of a lock.
	 * @param name name of the lock
	 * @return a future that is completed when the holds are released or reported as lost
	 */
	CompletableFuture<Void> endOfHolds(String name) {
		Collection<CompletableFuture<Void>> ends = this.holds.entrySet()
			.stream()
			.filter((hold) -> hold.getKey().name().equals(name))
			.map(Map.Entry::getValue)
			.toList();
		return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
	}

	private void record(LockEvent.Kind kind, LockRequest request) {
		if (!this.recording) {
			return;
		}
		synchronized (this.events) {
			this.events.add(new LockEvent(kind, request));
			if (this.events.size() > MOST_EVENTS) {
				this.events.remove();
				this.dropped++;
			}
		}
	}

	private void end(LockHandle handle) {
		CompletableFuture<Void> end = this.holds.remove(handle);
		if (end != null) {
			end.complete(null);
		}
	}

	@Override
	public String toString() {
		return events().toString();
	}

}
