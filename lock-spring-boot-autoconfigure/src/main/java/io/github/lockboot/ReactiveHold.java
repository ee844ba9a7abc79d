package io.github.lockboot;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A hold, or the wait for one, that belongs to all sections of a pipeline which take the
 * same lock: given back with the last of them.
 */
final class ReactiveHold {

	private final CompletableFuture<? extends @Nullable LockHandle> acquiring;

	private final AtomicInteger sections = new AtomicInteger(1);

	ReactiveHold(CompletionStage<? extends @Nullable LockHandle> acquiring) {
		this.acquiring = acquiring.toCompletableFuture();
	}

	/**
	 * Take part in the hold.
	 * @return false if it has ended
	 */
	boolean enter() {
		return this.sections.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * Wait for the lock. The wait itself is ended by {@link #leave()} only.
	 * @return the handle; empty if the lock was not acquired; an error if it can't be
	 * acquired or was lost meanwhile
	 */
	Mono<LockHandle> acquired() {
		return Mono.<LockHandle>fromFuture(this.acquiring, true)
			.publishOn(Schedulers.parallel())
			.doOnNext(LockHandle::ensureHeld);
	}

	/**
	 * End the part of one section; must be called once for each.
	 * @return completed when the lock is given back, if this was the last section
	 */
	Mono<Void> leave() {
		if (this.sections.decrementAndGet() > 0) {
			return Mono.empty();
		}
		this.acquiring.cancel(false);
		LockHandle handle = handle();
		return (handle != null) ? Mono.fromCompletionStage(handle.closeAsync()).publishOn(Schedulers.parallel())
				: Mono.empty();
	}

	/**
	 * Return what is known of a loss.
	 * @return the loss, or {@code null} if the lock is held or was given back in time
	 */
	@Nullable LockLostException loss() {
		LockHandle handle = handle();
		return (handle != null) ? handle.loss() : null;
	}

	private @Nullable LockHandle handle() {
		boolean acquired = this.acquiring.isDone() && !this.acquiring.isCompletedExceptionally();
		return acquired ? this.acquiring.join() : null;
	}

}
