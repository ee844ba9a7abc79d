package io.github.lockboot.faults;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;

/**
 * Ways to work under a lock. The common ones come up more often.
 */
enum Way {

	HANDLE(5) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.contended());
		}

	},

	FAIR(1) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.contended().fair(true));
		}

	},

	/** Waits hardly at all, and so often in vain. */
	IMPATIENT(1) {

		@Override
		void work(Turn turn) {
			turn.tryAcquire(turn.contended().waitTime(Duration.ofMillis(turn.oneOf(0, 5))));
		}

	},

	/** Gives up from outside. */
	CANCELLED(1) {

		@Override
		void work(Turn turn) {
			LockRequest request = turn.contended();
			CompletableFuture<LockHandle> future = turn.locks().acquireAsync(request).toCompletableFuture();
			try (LockHandle hold = future.get(5, TimeUnit.MILLISECONDS)) {
				turn.shift().count(request, hold, 1, turn.askedNanos());
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
	NESTED(1) {

		@Override
		void work(Turn turn) {
			LockRequest strict = turn.contended().onLost(OnLost.THROW);
			turn.locks().execute(strict, () -> {
				LockHandle hold = turn.holds().last();
				turn.shift()
					.around(strict, hold, turn.askedNanos(), () -> turn.locks()
						.execute(strict, () -> turn.shift().count(strict, hold, 2, System.nanoTime())));
			});
		}

	},

	/** Is a lock of the JDK, entered twice. */
	VIEW(1) {

		@Override
		void work(Turn turn) {
			LockRequest request = turn.contended();
			Lock lock = turn.locks().asLock(request.name());
			lock.lock();
			try {
				LockHandle hold = turn.holds().last();
				turn.shift()
					.around(request, hold, turn.askedNanos(), () -> turn.locks()
						.execute(request, () -> turn.shift().count(request, hold, 2, turn.askedNanos())));
			}
			finally {
				lock.unlock();
			}
		}

	},

	/** One of many locks, which hardly anybody else wants. */
	UNCONTENDED(4) {

		@Override
		void work(Turn turn) {
			LockRequest request = turn.lock("free" + turn.random().nextInt(100));
			turn.acquire(request);
		}

	},

	/** Wants a lock that few others want, and would rather go away than wait. */
	TRIED(2) {

		@Override
		void work(Turn turn) {
			turn.tryAcquire(turn.lock("free" + turn.random().nextInt(3)).waitTime(Duration.ZERO));
		}

	},

	/** Has another lease than others, of which some are not renewed. */
	LEASES(2) {

		@Override
		void work(Turn turn) {
			Duration lease = turn.oneOf(FaultRun.LEASE, FaultRun.LEASE.dividedBy(2), FaultRun.LEASE.dividedBy(4));
			turn.acquire(turn.lock("leases").leaseTime(lease).renew(turn.random().nextBoolean()));
		}

	},

	READER(2) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.lock("shared").shared());
		}

	},

	WRITER(1) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.lock("shared"));
		}

	},

	/** Writes, and goes on as a reader. */
	DOWNGRADED(1) {

		@Override
		void work(Turn turn) {
			LockRequest request = turn.lock("shared");
			ReadWriteLock lock = turn.locks().asReadWriteLock(request.name());
			lock.writeLock().lock();
			try {
				turn.shift().count(request, turn.holds().last(), 1, turn.askedNanos());
				lock.readLock().lock();
			}
			finally {
				lock.writeLock().unlock();
			}
			try {
				turn.shift().count(request.shared(), turn.holds().last(), 1, turn.askedNanos());
			}
			finally {
				lock.readLock().unlock();
			}
		}

	},

	PERMIT(2) {

		@Override
		void work(Turn turn) {
			LockRequest request = turn.locks().semaphore(turn.lock("seats").name(), 2).request();
			try {
				turn.locks().requireSupported(request);
			}
			catch (UnsupportedOperationException ex) {
				// a majority does not count permits
				request = request.shared();
			}
			turn.acquire(request);
		}

	},

	/** Two locks at once, or one of these. */
	SEVERAL(2) {

		@Override
		void work(Turn turn) {
			String left = turn.lock("left").name();
			String right = LockRequest.of(LockNames.of(turn.oneOf("orders", "stock"), "right")).name();
			turn.acquire(turn.oneOf(LockRequest.allOf(right, left), LockRequest.of(left), LockRequest.of(right)));
		}

	},

	SHORTEST_HOLD(1) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.lock("hold").minHoldTime(Duration.ofMillis(turn.oneOf(5, 40))));
		}

	},

	LONGEST_HOLD(1) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.lock("hold").maxHoldTime(Duration.ofMillis(60)));
		}

	},

	/** Takes a lock away from whoever has it. */
	FORCE(1) {

		@Override
		void work(Turn turn) {
			LockRequest request = turn.lock("forced");
			if (turn.random().nextInt(20) == 0) {
				turn.shift().force(request, () -> turn.locks().forceRelease(request.name()));
			}
			turn.acquire(request);
		}

	},

	ORDERLY(2) {

		@Override
		void work(Turn turn) {
			turn.acquire(turn.lock(LockNames.FAIR).fair(true));
		}

	};

	private final int weight;

	Way(int weight) {
		this.weight = weight;
	}

	/**
	 * Return how often this way comes up.
	 * @return parts of all
	 */
	int weight() {
		return this.weight;
	}

	/**
	 * Take a lock, work, and give it back.
	 * @param turn whose turn it is
	 */
	abstract void work(Turn turn);

}
