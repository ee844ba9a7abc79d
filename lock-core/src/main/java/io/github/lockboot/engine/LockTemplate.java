package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.LockAction;
import io.github.lockboot.LockActivity;
import io.github.lockboot.LockCallback;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockMonitor;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.support.RehearsedStore;

/**
 * {@link LockOperations} for any {@link LockStore}: the entry point of the engine, and
 * the base class of the template of each store.
 */
@Internal
public class LockTemplate implements LockOperations, LockMonitor, AutoCloseable {

	private static final int LONGEST_LIST = 1000;

	/** Servers take exponentially long to match names with more wildcards. */
	private static final int MOST_WILDCARDS = 3;

	private static final Duration LONGEST_PROBE = Duration.ofSeconds(5);

	private final LockStore store;

	private final LockEngine engine;

	private final LockAcquirer acquirer;

	private final ReentrantLocks reentrant;

	private volatile Consumer<String> checks = (name) -> {
	};

	/**
	 * Create a template.
	 * @param store the store that keeps the leases; closed with the template
	 * @param clock the source of time and timers; closed with the template
	 */
	public LockTemplate(LockStore store, MonotonicClock clock, LockDefaults defaults, List<LockListener> listeners) {
		this.store = store;
		this.engine = new LockEngine(RehearsedStore.of(store, listeners), clock, listeners);
		ThreadLocal<ReentrantLocks.@Nullable Entry> ofThread = new ThreadLocal<>();
		this.acquirer = new LockAcquirer(this.engine, defaults, () -> ofThread.get() != null);
		this.reentrant = new ReentrantLocks(this.acquirer, ofThread);
	}

	/**
	 * Create a template with a clock of its own.
	 * @param connector returns the store, which uses the clock; closed with the template
	 */
	protected LockTemplate(Function<MonotonicClock, LockStore> connector, LockDefaults defaults,
			List<LockListener> listeners) {
		this(new SystemClock("lock-timer"), connector, defaults, listeners);
	}

	private LockTemplate(MonotonicClock clock, Function<MonotonicClock, LockStore> connector, LockDefaults defaults,
			List<LockListener> listeners) {
		this(connect(connector, clock), clock, defaults, listeners);
	}

	private static LockStore connect(Function<MonotonicClock, LockStore> connector, MonotonicClock clock) {
		try {
			return connector.apply(clock);
		}
		catch (RuntimeException ex) {
			clock.close();
			throw ex;
		}
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockCallback<T, X> section)
			throws X {
		requireSection(request, section);
		return this.reentrant.enter(request).run(this.acquirer.onLost(request), section);
	}

	@Override
	@SuppressWarnings("NullAway") // a Void is always null
	public <X extends Throwable> boolean tryExecute(LockRequest request, LockAction<X> section) throws X {
		requireSection(request, section);
		ReentrantLocks.ReentrantHold hold = this.reentrant.tryEnter(request, true);
		if (hold == null) {
			return false;
		}
		hold.<@Nullable Void, X>run(this.acquirer.onLost(request), () -> {
			section.run();
			return null;
		});
		return true;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return (request.names().size() > 1) ? Acquisition.acquireAll(this.acquirer, request, true)
				: this.acquirer.acquire(request, true);
	}

	@Override
	public @Nullable LockHandle tryAcquire(LockRequest request) {
		try {
			return acquire(request);
		}
		catch (LockNotAcquiredException ex) {
			return null;
		}
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return Acquisition.acquireAsync(this.acquirer, request, false);
	}

	@Override
	@SuppressWarnings("NullAway") // null only if wanted
	public CompletionStage<@Nullable LockHandle> tryAcquireAsync(LockRequest request) {
		return Acquisition.acquireAsync(this.acquirer, request, true);
	}

	@Override
	public LeasedLock asLock(LockRequest request) {
		return new LockView(this.reentrant, request, (name) -> inspect(name).isHeld());
	}

	@Override
	public ReadWriteLock asReadWriteLock(String name) {
		LockRequest request = LockRequest.of(name);
		return new LockView.ReadWrite(asLock(request.shared()), asLock(request));
	}

	@Override
	public void requireSupported(LockRequest request) {
		this.acquirer.requireSupported(request);
	}

	@Override
	public void ensureHeld(String name) {
		this.checks.accept(name);
		holdOfThread(name).ensureHeld();
	}

	@Override
	public long fencingToken(String name) {
		return holdOfThread(name).fencingToken();
	}

	private Hold holdOfThread(String name) {
		Hold hold = this.reentrant.hold(name);
		if (hold == null) {
			throw new IllegalStateException("Lock '" + name + "' is not held by a section of thread '"
					+ Thread.currentThread().getName() + "'");
		}
		return hold;
	}

	@Override
	public LockState inspect(String name) {
		return state(named(name));
	}

	private LockState state(String name) {
		LockState state = call(name, "inspected", this.acquirer.holders()::inspect);
		return new LockState(state.name(), state.owner(), state.remaining(),
				this.engine.fencingTokens().shared(state.fencingToken()), state.holders(), state.waiting(),
				state.heldBy());
	}

	@Override
	public List<LockState> list(String pattern, @Nullable String after, int limit) {
		Assert.hasText(pattern, "The pattern of the names must not be blank. Use '*' for all locks");
		Assert.isTrue(StringUtils.countOccurrencesOf(pattern, "*") <= MOST_WILDCARDS,
				() -> "The pattern '" + pattern + "' must not have more than " + MOST_WILDCARDS + " '*'");
		Assert.isTrue(limit >= 1 && limit <= LONGEST_LIST,
				() -> "The limit of a list of locks must be from 1 to " + LONGEST_LIST + " but is " + limit
						+ ". List more locks in pages, each of which begins after the last name of the page before");
		List<LockState> held = new ArrayList<>();
		String last = (after != null) ? after : "";
		boolean more = true;
		while (more && held.size() < limit) {
			// many at once, because a store may search all its names for each answer
			List<String> names = names(pattern, last, LONGEST_LIST);
			names.stream().map(this::state).filter(LockState::isHeld).limit(limit - held.size()).forEach(held::add);
			more = names.size() == LONGEST_LIST;
			last = more ? names.get(LONGEST_LIST - 1) : last;
		}
		return held;
	}

	/** Return the names that may be held. A pattern without a wildcard is such a name. */
	private List<String> names(String pattern, String after, int most) {
		if (pattern.indexOf('*') < 0) {
			return (pattern.compareTo(after) > 0) ? List.of(pattern) : List.of();
		}
		return call(pattern, "listed", (names) -> store().administration().list(names, after, most));
	}

	@Override
	public boolean forceRelease(String name) {
		return call(named(name), "released by force", this.engine::forceRelease);
	}

	@Override
	public LockActivity activity() {
		return this.engine.activity(null);
	}

	@Override
	public void probe() {
		CompletableFuture<?> reply = LockStore.call(this.engine::probe).toCompletableFuture();
		FutureWait.awaitUninterruptibly(reply, LONGEST_PROBE);
		Throwable failure = reply.<@Nullable Throwable>handle((released, ex) -> ex)
			.getNow(new TimeoutException("no reply for " + LONGEST_PROBE.toSeconds() + " s"));
		if (failure != null) {
			Throwable cause = StageFailure.cause(failure);
			throw new LockUnavailableException(null, "No lock can be acquired: the lock store failed or did not reply"
					+ " within its time limit (" + cause.getMessage() + ")", cause);
		}
	}

	/**
	 * Return whether the current thread is in a section or an annotated method, or holds
	 * a {@link Lock}.
	 */
	@Internal
	public boolean isInSection() {
		return this.reentrant.isAny();
	}

	/**
	 * Check that the current thread is still the owner, in the store, of all locks that
	 * it holds in sections, annotated methods or as a {@link Lock}.
	 * @param owns returns whether an attempt still owns its lock, by the lease in which
	 * the store issued a token
	 * @throws LockLostException if a lock is lost
	 */
	protected void ensureOwned(BiPredicate<LockAttempt, Long> owns) {
		this.reentrant.ensureOwned(owns);
	}

	/**
	 * Let a resource admit all holds of the current thread in sections, annotated methods
	 * or as a {@link Lock}, other than permits.
	 * @param resource asked for each lock, in the order of their names
	 * @throws LockLostException if a lock is lost, or the resource has admitted a later
	 * holder
	 */
	@Internal
	public void ensureAdmitted(Admission resource) {
		this.reentrant.ensureAdmitted((hold) -> {
			if (!hold.isPermit()) {
				resource.admit(hold.name(), hold.fencingToken(), hold.isShared());
			}
		});
	}

	/**
	 * Run an admission on the thread of each caller that has acquired locks for a
	 * section, an annotated method or as a {@link Lock}, before the section begins. If
	 * the admission throws an exception, the locks are released.
	 */
	@Internal
	public void admission(Runnable admission) {
		this.reentrant.admission(admission);
	}

	/**
	 * Call an observer after each section or annotated method that has released locks, on
	 * its thread. The observer must not throw an exception.
	 * @param observed whether to call the observer, asked after each section
	 */
	@Internal
	public void afterSection(BooleanSupplier observed, Consumer<LockRequest> observer) {
		this.reentrant.afterSection(observed, observer);
	}

	/**
	 * Call an observer before each check of a lock by {@link #ensureHeld}, on its thread.
	 */
	@Internal
	public void onCheck(Consumer<String> observer) {
		this.checks = observer;
	}

	/** A resource that stores the fencing tokens of the holders that it has admitted. */
	@Internal
	@FunctionalInterface
	public interface Admission {

		/**
		 * Admit a holder.
		 * @param shared whether others may hold the lock with the same token
		 * @throws StaleTokenException if the resource has admitted a later holder
		 */
		void admit(String lock, long fencingToken, boolean shared);

	}

	/**
	 * Create another instance on the same locks, for
	 * {@link LockLifecycle#anotherInstance}.
	 */
	protected LockTemplate anotherInstance() {
		throw new UnsupportedOperationException(getClass().getName() + " can't create another instance of itself");
	}

	/** Return the store that keeps the leases. */
	protected LockStore store() {
		return this.store;
	}

	LockEngine engine() {
		return this.engine;
	}

	LockAcquirer acquirer() {
		return this.acquirer;
	}

	/**
	 * Close the store, the timers and their threads. Locks that are still held stay in
	 * the store until their leases expire.
	 */
	@Override
	public void close() {
		this.engine.close();
	}

	/** Check the section before the lock is acquired. */
	private static void requireSection(LockRequest request, @Nullable Object section) {
		Assert.notNull(section, () -> "The section to run under lock '" + request.name() + "' must not be null");
	}

	private static <T> T call(String name, String what, Function<String, CompletionStage<T>> question) {
		try {
			return FutureWait.join(LockStore.call(() -> question.apply(name)).toCompletableFuture());
		}
		catch (CompletionException ex) {
			for (Throwable cause = ex.getCause(); cause != null; cause = cause.getCause()) {
				if (cause instanceof UnsupportedOperationException unsupported) {
					throw unsupported;
				}
			}
			throw LockAcquirer.unavailable(name, what, (ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

	private static String named(String name) {
		return LockRequest.of(name).name();
	}

}
