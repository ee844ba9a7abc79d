package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that block, are interrupted, cancel, close and call back, in random orders of
 * their steps, by Fray: the engine with its threads and mutexes, on a lock in memory.
 * Fray also fails if threads wait for each other. Skipped without the profile
 * {@code fray}, which makes a JDK for it.
 */
@NullMarked
@ExtendWith(FrayTestExtension.class)
class ThreadOrderTests {

	private static final int ORDERS = 300;

	@FrayTest(iterations = ORDERS, abortThreadExecutionAfterMainExit = true)
	void callersExcludeEachOtherAndMayEnterAgain() throws Exception {
		Callers callers = new Callers();
		Lock lock = callers.locks.asLock("a");
		for (int i = 0; i < 2; i++) {
			callers.start(() -> {
				lock.lock();
				lock.lock();
				callers.enter();
				lock.unlock();
				lock.unlock();
				return null;
			});
		}
		callers.awaitEndsAndFreeLock();
	}

	@FrayTest(iterations = ORDERS, abortThreadExecutionAfterMainExit = true)
	void anInterruptedCallerEntersOrLeavesNothing() throws Exception {
		Callers callers = new Callers();
		Lock lock = callers.locks.asLock("a");
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			threads.add(callers.start(() -> {
				try {
					lock.lockInterruptibly();
					callers.enter();
					lock.unlock();
				}
				catch (InterruptedException ex) {
					assertThat(Thread.currentThread().isInterrupted()).isFalse();
				}
				return interrupted.join(); // Fray can't interrupt a thread that has ended
			}));
		}
		threads.get(0).interrupt();
		interrupted.complete(true);
		callers.awaitEndsAndFreeLock();
	}

	@FrayTest(iterations = ORDERS, abortThreadExecutionAfterMainExit = true)
	void aCancelledCallerEntersOrLeavesNothingAndCallbacksMayRelease() throws Exception {
		Callers callers = new Callers();
		List<CompletableFuture<LockHandle>> calls = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			CompletableFuture<LockHandle> call = callers.locks.acquireAsync(Callers.REQUEST).toCompletableFuture();
			calls.add(call);
			callers.start(() -> call.thenAccept((handle) -> {
				callers.enter(handle);
				handle.close();
			}).exceptionally((failure) -> {
				assertThat(failure).hasCauseInstanceOf(CancellationException.class);
				return null;
			}).join());
		}
		callers.start(() -> calls.get(1).cancel(false));
		callers.awaitEndsAndFreeLock();
	}

	@FrayTest(iterations = ORDERS, abortThreadExecutionAfterMainExit = true)
	void closingEndsCallersThatWait() throws Exception {
		Callers callers = new Callers();
		for (int i = 0; i < 2; i++) {
			callers.start(() -> {
				try (LockHandle handle = callers.locks.acquire(Callers.REQUEST)) {
					callers.enter(handle);
				}
				catch (LockException | IllegalStateException ex) {
					// closed
				}
				return null;
			});
		}
		callers.locks.close();
		callers.awaitEnds();
	}

	@FrayTest(iterations = ORDERS, abortThreadExecutionAfterMainExit = true)
	void aHoldThatIsLostWhileItIsReceivedAndReleasedReportsItsEnd() throws Exception {
		Callers callers = new Callers();
		List<LockListener> listeners = List.of(new LockListener() {
		});
		LockRequest request = LockRequest.of("b");
		Holder holder = new Holder(
				new Waiter(new Waiter.Call(request, 0, 0, Thread.currentThread(), false, listeners), request, 30_000,
						false, null, true),
				new Lease(new LockAttempt("b", "jvm:1", 30_000, 1), 0, new AcquireReply.Owned(1, 1, 0)), 1, 0);
		AtomicInteger ended = new AtomicInteger();
		callers.start(() -> holder.handOut() ? ended.incrementAndGet() : "not ended");
		callers.start(() -> count(ended, holder.endForListeners()));
		callers.start(() -> {
			holder.lost(new LockLostException("b", "a test", Duration.ZERO, 1), new AtomicBoolean());
			return count(ended, holder.loseForListeners());
		});
		callers.awaitEnds();
		assertThat(ended).hasPositiveValue();
		callers.locks.close();
	}

	@FrayTest(iterations = ORDERS, abortThreadExecutionAfterMainExit = true)
	void aCallbackThatIsRegisteredDuringTheLossRunsOnce() throws Exception {
		Callers callers = new Callers();
		LockHandle handle = callers.locks.acquire(Callers.REQUEST);
		AtomicInteger called = new AtomicInteger();
		CompletableFuture<Boolean> lost = new CompletableFuture<>();
		callers.start(() -> callers.locks.forceRelease("a"));
		callers.start(() -> {
			handle.onLost(() -> {
				called.incrementAndGet();
				lost.complete(true);
			});
			return lost.join();
		});
		callers.awaitEndsAndFreeLock();
		assertThat(called).hasValue(1);
	}

	private static int count(AtomicInteger ended, @Nullable List<LockListener> listeners) {
		return (listeners != null) ? ended.incrementAndGet() : 0;
	}

}
