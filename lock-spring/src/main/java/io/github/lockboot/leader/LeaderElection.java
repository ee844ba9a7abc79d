package io.github.lockboot.leader;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.util.Assert;

import io.github.lockboot.Internal;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * The election of one instance as the leader of a role. Between {@link #start()} and
 * {@link #stop()} this instance is a candidate: a thread waits for the lock of the role,
 * and the instance leads while it holds the lock. An instance that has lost its lease is
 * a candidate again. If the store of the locks fails, the candidate tries again until the
 * store is back.
 * <p>
 * As a bean, an election starts and stops with the application context. It publishes
 * {@link LeaderElected} and {@link LeaderRevoked}, in this order, on the thread of the
 * election. At shutdown it resigns after the executors and schedulers have stopped, whose
 * tasks may be those of a leader, and before the locks stop. It waits for calls of
 * {@link io.github.lockboot.annotation.LeaderOnly @LeaderOnly} methods that are still
 * running, on any thread.
 * <p>
 * Whether this instance leads is decided by the deadline of its lease on the monotonic
 * clock of this JVM, and not by a message. A process that is suspended for longer than
 * the lease considers itself the leader until it asks again: pass
 * {@link Leadership#fencingToken()} to resources that must refuse a former leader.
 * <p>
 * Thread-safe.
 *
 * @since 1.0.0
 */
public final class LeaderElection implements SmartLifecycle, ApplicationEventPublisherAware, AutoCloseable {

	/**
	 * The phase of its stop: after executors, schedulers and web servers, and before the
	 * shutdown of the locks.
	 */
	private static final int PHASE = ExecutorConfigurationSupport.DEFAULT_PHASE - 512;

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

	private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

	private final LockOperations locks;

	private final String role;

	private final LockRequest request;

	private final Duration stopTimeout;

	private final ElectionOutage outage;

	private final AtomicReference<@Nullable Campaign> campaign = new AtomicReference<>();

	private volatile @Nullable Thread former;

	private volatile ApplicationEventPublisher events = (event) -> {
	};

	private LeaderElection(LockOperations locks, String role, LockRequest request, Duration stopTimeout,
			ElectionOutage outage) {
		this.locks = locks;
		this.role = role;
		this.request = request;
		this.stopTimeout = stopTimeout;
		this.outage = outage;
	}

	/**
	 * Return an election with the default lease time of the locks.
	 * @param locks where the lock of the role is
	 * @param role the role; its lock has the name {@code leader:} and the role
	 * @return the election, which is not started
	 * @throws IllegalArgumentException if the role is blank
	 */
	public static LeaderElection of(LockOperations locks, String role) {
		return of(locks, role, null, STOP_TIMEOUT);
	}

	/**
	 * Return an election.
	 * @param locks where the lock of the role is
	 * @param role the role; its lock has the name {@code leader:} and the role
	 * @param leaseTime time after which another instance leads if the leader dies;
	 * {@code null} for the default of the locks
	 * @return the election, which is not started
	 * @throws IllegalArgumentException if the role is blank, or the lease time is outside
	 * its bounds
	 * @throws UnsupportedOperationException if all locks of the store have the same lease
	 */
	public static LeaderElection of(LockOperations locks, String role, @Nullable Duration leaseTime) {
		return of(locks, role, leaseTime, STOP_TIMEOUT);
	}

	/**
	 * Return an election.
	 * @param locks where the lock of the role is
	 * @param role the role; its lock has the name {@code leader:} and the role
	 * @param leaseTime time after which another instance leads if the leader dies;
	 * {@code null} for the default of the locks
	 * @param stopTimeout how long {@link #stop()} waits for running calls and listeners;
	 * 20 seconds if not set
	 * @return the election, which is not started
	 * @throws IllegalArgumentException if the role is blank, or the lease time is outside
	 * its bounds
	 * @throws UnsupportedOperationException if all locks of the store have the same lease
	 */
	public static LeaderElection of(LockOperations locks, String role, @Nullable Duration leaseTime,
			Duration stopTimeout) {
		return of(locks, role, leaseTime, stopTimeout, new ElectionOutage());
	}

	/** Return an election that logs an outage together with others. */
	@Internal
	public static LeaderElection of(LockOperations locks, String role, @Nullable Duration leaseTime,
			Duration stopTimeout, ElectionOutage outage) {
		Assert.hasText(role,
				"The role of a leader election must not be blank: name it after its work, for example 'reports'");
		String lock = "leader:" + role;
		LockRequest request = LockRequest.of(lock)
			.group(lock)
			.waitTime(UNLIMITED)
			.leaseTime(leaseTime)
			.renew(true)
			.maxHoldTime(Duration.ZERO)
			.retainTime(Duration.ZERO);
		locks.requireSupported(request);
		return new LeaderElection(locks, role, request, stopTimeout, outage);
	}

	/**
	 * Return the role.
	 */
	public String role() {
		return this.role;
	}

	/**
	 * Return whether this instance leads: it was elected, has not resigned, and its lease
	 * has not ended. This method sends no command to the store.
	 * @return whether this instance is the leader
	 */
	public boolean isLeader() {
		return leadership() != null;
	}

	/**
	 * Return the leadership of this instance. This method sends no command to the store.
	 * @return the leadership, or {@code null} if this instance does not lead
	 */
	public @Nullable Leadership leadership() {
		Campaign present = this.campaign.get();
		return (present != null) ? present.leadership() : null;
	}

	/**
	 * Begin a call that only the leader makes, and for whose end {@link #stop()} waits.
	 * @param onThread whether the call ends on this thread, before it does anything else
	 * @return ends the call, from any thread; {@code null} if this instance does not lead
	 */
	@Internal
	public @Nullable Runnable begin(boolean onThread) {
		Campaign present = this.campaign.get();
		return (present != null) ? present.begin(onThread) : null;
	}

	@Override
	public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
		this.events = publisher;
	}

	/** Become a candidate. This method does not wait for the store. */
	@Override
	public void start() {
		Campaign next = new Campaign(this.locks, this.role, this.request, (event) -> this.events.publishEvent(event),
				this.stopTimeout, this.outage, this.former);
		if (this.campaign.compareAndSet(null, next)) {
			next.start();
		}
	}

	/**
	 * Resign, and stop being a candidate. {@link #isLeader()} is false at once. This
	 * method waits until running calls of
	 * {@link io.github.lockboot.annotation.LeaderOnly @LeaderOnly} methods have ended,
	 * other than those of this thread, the listeners of {@link LeaderRevoked} have
	 * returned, and the lock is released. If its timeout passes before, it logs a warning
	 * and releases the lock.
	 */
	@Override
	public void stop() {
		Campaign present = this.campaign.getAndSet(null);
		if (present != null) {
			this.former = present.thread();
			present.end();
		}
	}

	@Override
	public boolean isRunning() {
		return this.campaign.get() != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/** Resign, as {@link #stop()} does. */
	@Override
	public void close() {
		stop();
	}

	@Override
	public String toString() {
		return "Election of the leader of role '" + this.role + "'" + (isLeader() ? ", won by this instance" : "");
	}

}
