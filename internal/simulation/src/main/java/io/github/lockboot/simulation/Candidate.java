package io.github.lockboot.simulation;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.leader.LeaderElection;

/**
 * The election of a JVM. Its thread waits in virtual time: for the lock of the role, for
 * the end of the lease, and after a failure.
 */
final class Candidate {

	/** As between two attempts of an election. */
	private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** How long an election waits at least, as while a lease is in doubt. */
	private static final long DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final Jvm jvm;

	private final WaitingThread thread;

	private final LeaderElection election;

	/** What the election holds, or held last. */
	private @Nullable LockHandle handle;

	/**
	 * Create a candidate, which does not start.
	 * @param listener receives the events of the election, on its thread
	 */
	Candidate(World world, Jvm jvm, String role, BiConsumer<Candidate, Object> listener) {
		this.jvm = jvm;
		this.thread = new WaitingThread(world.scheduler(), jvm.machine());
		LockOperations locks = (LockOperations) Proxy.newProxyInstance(Candidate.class.getClassLoader(),
				new Class<?>[] { LockOperations.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "requireSupported" -> null;
					case "acquire" -> acquire((LockRequest) arguments[0]);
					default -> throw world.notSimulated(method.toString());
				});
		this.election = LeaderElection.of(locks, role);
		this.election.setApplicationEventPublisher((event) -> listener.accept(this, event));
	}

	Jvm jvm() {
		return this.jvm;
	}

	LockHandle handle() {
		return Objects.requireNonNull(this.handle);
	}

	void start() {
		if (!this.election.isRunning()) {
			this.thread.start(this.election::start);
		}
	}

	/** Resign; the reply to the release comes later. */
	void stop() {
		this.election.stop();
	}

	boolean isRunning() {
		return this.election.isRunning() && !this.jvm.isGone();
	}

	/** Whether it leads in a process that lives. */
	boolean isLeader() {
		return this.election.isLeader() && !this.jvm.machine().isDead();
	}

	@Override
	public String toString() {
		return this.jvm.name();
	}

	private LockHandle acquire(LockRequest request) {
		CompletableFuture<LockHandle> result = this.jvm.locks().acquireAsync(request).toCompletableFuture();
		try {
			this.thread.await(Long.MAX_VALUE, (end) -> result.whenComplete((handle, failure) -> end.run()));
			if (result.isCompletedExceptionally()) {
				this.thread.await(PAUSE_NANOS, (end) -> {
				});
				LockSupport.unpark(Thread.currentThread()); // the election pauses, too
			}
			LockHandle handle = new Lead(result.join(), this.thread);
			this.handle = handle;
			return handle;
		}
		catch (InterruptedException ex) {
			if (!result.cancel(false)) {
				result.thenAccept(LockHandle::closeAsync);
			}
			throw new LockInterruptedException(request.name());
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof LockException failure) ? failure : ex;
		}
	}

	/** The lock of the role, whose remaining lease is over when its holder knows it. */
	private record Lead(LockHandle hold, WaitingThread thread) implements LockHandle {

		@Override
		public String name() {
			return this.hold.name();
		}

		@Override
		public long fencingToken() {
			return this.hold.fencingToken();
		}

		@Override
		public boolean isHeld() {
			return this.hold.isHeld();
		}

		@Override
		public Duration remainingLease() {
			try {
				this.thread.await(Math.max(DOUBT_NANOS, this.hold.remainingLease().toNanos()), this.hold::onLost);
				LockSupport.unpark(Thread.currentThread()); // the election waits, too
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return Duration.ZERO;
		}

		@Override
		public void ensureHeld() {
			this.hold.ensureHeld();
		}

		@Override
		public @Nullable LockLostException loss() {
			return this.hold.loss();
		}

		@Override
		public void onLost(Runnable callback) {
			this.hold.onLost(callback);
		}

		@Override
		public void close() {
			closeAsync();
		}

		@Override
		public CompletionStage<Void> closeAsync() {
			return this.hold.closeAsync();
		}

	}

}
