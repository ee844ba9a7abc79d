package io.github.lockboot.test;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

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
 * The journal is a bean of a test's application, and is cleared before each test. For a
 * template that is not a bean, pass the journal as a listener to the template.
 *
 * @since 1.0.0
 */
public final class LockJournal implements LockListener {

	private final List<LockEvent> events = new CopyOnWriteArrayList<>();

	/** The current holds. */
	private final Map<LockHandle, CompletableFuture<Void>> holds = new ConcurrentHashMap<>();

	/**
	 * Create an empty journal.
	 */
	public LockJournal() {
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
		return this.events.stream().filter((event) -> event.kind() == kind).map(LockEvent::request).toList();
	}

	/**
	 * Return the events.
	 * @return all events since the journal was cleared, in order
	 */
	public List<LockEvent> events() {
		return List.copyOf(this.events);
	}

	/**
	 * Remove all events.
	 */
	public void clear() {
		this.events.clear();
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		this.holds.put(handle, new CompletableFuture<>());
		record(LockEvent.Kind.ACQUIRED, request);
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
		this.events.add(new LockEvent(kind, request));
	}

	private void end(LockHandle handle) {
		CompletableFuture<Void> end = this.holds.remove(handle);
		if (end != null) {
			end.complete(null);
		}
	}

	@Override
	public String toString() {
		return this.events.toString();
	}

}
