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
 * Writes down what happens to the locks of an application: those that it has taken, given
 * back and lost, and those that it did not get. To be asked by the assertions of
 * {@link LockAssertions}. Locks of {@link OtherNode} are not in it. Thread-safe.
 * <p>
 * A bean of a test's application, emptied before each test. A template that is made by
 * hand is given it as a listener.
 *
 * @since 1.0.0
 */
public final class LockJournal implements LockListener {

	private final List<LockEvent> events = new CopyOnWriteArrayList<>();

	/** Holds that have not ended yet. */
	private final Map<LockHandle, CompletableFuture<Void>> holds = new ConcurrentHashMap<>();

	/**
	 * Create an empty journal.
	 */
	public LockJournal() {
	}

	/**
	 * Return what was asked for when the locks were taken.
	 * @return the requests in the order in which their locks were taken; one that a
	 * thread had already is not taken again
	 */
	public List<LockRequest> acquired() {
		return requests(LockEvent.Kind.ACQUIRED);
	}

	/**
	 * Return what has happened.
	 * @return all that was written down since the journal was cleared, in its order
	 */
	public List<LockEvent> events() {
		return List.copyOf(this.events);
	}

	/**
	 * Forget what has happened so far.
	 */
	public void clear() {
		this.events.clear();
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		this.holds.put(handle, new CompletableFuture<>());
		write(LockEvent.Kind.ACQUIRED, request);
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		write(LockEvent.Kind.NOT_ACQUIRED, request);
	}

	@Override
	public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
		write(LockEvent.Kind.LOST, request);
		end(handle);
	}

	@Override
	public void onReleased(LockRequest request, LockHandle handle, Duration held) {
		write(LockEvent.Kind.RELEASED, request);
		end(handle);
	}

	/**
	 * Return when all have ended that hold a lock now.
	 * @param name name of the lock
	 * @return completed when they have given it back or know that they have lost it
	 */
	CompletableFuture<Void> endOfHolds(String name) {
		Collection<CompletableFuture<Void>> ends = this.holds.entrySet()
			.stream()
			.filter((hold) -> hold.getKey().name().equals(name))
			.map(Map.Entry::getValue)
			.toList();
		return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
	}

	private List<LockRequest> requests(LockEvent.Kind kind) {
		return this.events.stream().filter((event) -> event.kind() == kind).map(LockEvent::request).toList();
	}

	private void write(LockEvent.Kind kind, LockRequest request) {
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
