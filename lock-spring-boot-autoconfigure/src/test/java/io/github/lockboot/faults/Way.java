package io.github.lockboot.faults;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;

/**
 * Ways to work under a lock.
 */
enum Way {

	HANDLE {

		@Override
		void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos) {
			try (LockHandle hold = locks.acquire(request)) {
				shift.count(hold, 1, askedNanos);
			}
		}

	},

	FAIR {

		@Override
		void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos) {
			HANDLE.work(locks, request.fair(true), holds, shift, askedNanos);
		}

	},

	/** Waits hardly at all, and so often in vain. */
	IMPATIENT {

		@Override
		void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos) {
			Duration wait = Duration.ofMillis((askedNanos & 1) * 5);
			try (@Nullable
			LockHandle hold = locks.tryAcquire(request.waitTime(wait))) {
				if (hold != null) {
					shift.count(hold, 1, askedNanos);
				}
			}
		}

	},

	/** Gives up from outside. */
	CANCELLED {

		@Override
		void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos) {
			CompletableFuture<LockHandle> future = locks.acquireAsync(request).toCompletableFuture();
			try (LockHandle hold = future.get(5, TimeUnit.MILLISECONDS)) {
				shift.count(hold, 1, askedNanos);
			}
			catch (TimeoutException ex) {
				if (!future.cancel(true)) {
					future.thenAccept(LockHandle::close);
				}
			}
			catch (ExecutionException ex) {
				throw (RuntimeException) ex.getCause();
			}
			catch (InterruptedException ex) {
				throw new CompletionException(ex);
			}
		}

	},

	/** Enters twice. */
	NESTED {

		@Override
		void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos) {
			LockRequest strict = request.onLost(OnLost.THROW);
			locks.execute(strict, () -> {
				LockHandle hold = holds.last();
				shift.around(hold, askedNanos,
						() -> locks.execute(strict, () -> shift.count(hold, 2, System.nanoTime())));
			});
		}

	},

	/** Is a lock of the JDK, entered twice. */
	VIEW {

		@Override
		void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos) {
			Lock lock = locks.asLock(request.name());
			lock.lock();
			try {
				LockHandle hold = holds.last();
				shift.around(hold, askedNanos, () -> locks.execute(request, () -> shift.count(hold, 2, askedNanos)));
			}
			finally {
				lock.unlock();
			}
		}

	};

	/**
	 * Take a lock, work, and give it back.
	 * @param locks where from
	 * @param request which lock
	 * @param holds what this thread acquired last
	 * @param shift the work
	 * @param askedNanos the time now
	 */
	abstract void work(LockOperations locks, LockRequest request, HoldsOfThreads holds, Shift shift, long askedNanos);

}
