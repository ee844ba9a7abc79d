package io.github.lockboot.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * A store whose replies a test sets. By default every acquire, renewal and release
 * succeeds at once. It records its calls.
 */
final class FakeStore implements LockStore, LockAdministration {

	private static final long RESERVED = 30_000_000;

	/** So many calls mean that they never end, and get no reply. */
	private static final int MOST_CALLS = 150_000;

	private final List<String> calls = new ArrayList<>();

	private final List<LockAttempt> attempts = new ArrayList<>();

	private final List<String> releasedLocks = new ArrayList<>();

	private StoreTraits traits = new StoreTraits("a test", StoreTraits.Tokens.TIMES, StoreTraits.Waiting.GRANTS,
			StoreTraits.Leases.LOCK, StoreTraits.ALL_KINDS);

	private @Nullable LockPushes pushes;

	private Queueing queueing = Queueing.NO;

	private final List<Boolean> extensions = new ArrayList<>();

	private long token;

	private long seenToken;

	private long usedToken;

	private Function<String, CompletionStage<LockState>> inspect = (lock) -> CompletableFuture
		.completedStage(new LockState(lock, null, null, 0, 0, 0));

	private @Nullable Instances instances;

	private List<String> names = List.of();

	private Supplier<CompletionStage<AcquireReply>> acquire = this::owned;

	private Function<Collection<LockAttempt>, CompletionStage<Map<LockAttempt, AcquireReply>>> keepQueued = (
			attempts) -> CompletableFuture.completedStage(Map.of());

	private Supplier<CompletionStage<RenewReply>> renew = FakeStore::renewed;

	private Supplier<CompletionStage<ReleaseReply>> release = FakeStore::released;

	CompletionStage<AcquireReply> owned() {
		return CompletableFuture.completedStage(ownedReply());
	}

	AcquireReply ownedReply() {
		return ownedReply(0);
	}

	AcquireReply ownedReply(long queued) {
		this.token++;
		return new AcquireReply.Owned(this.token, this.token + RESERVED, queued);
	}

	static CompletionStage<AcquireReply> busy(long remainingMillis) {
		return CompletableFuture.completedStage(new AcquireReply.Busy(remainingMillis));
	}

	static CompletionStage<AcquireReply> queued(long remainingMillis, long storeMicros) {
		return CompletableFuture.completedStage(new AcquireReply.Queued(remainingMillis, storeMicros, false));
	}

	static CompletionStage<RenewReply> renewed() {
		return CompletableFuture.completedStage(new RenewReply.Renewed(Long.MAX_VALUE / 2, 0));
	}

	static CompletionStage<ReleaseReply> released() {
		return CompletableFuture.completedStage(ReleaseReply.RELEASED);
	}

	static <T> CompletionStage<T> down() {
		return CompletableFuture.failedStage(new IllegalStateException("store is down"));
	}

	static <T> CompletionStage<T> cut() {
		return CompletableFuture.failedStage(new UncheckedIOException(new IOException("connection is cut")));
	}

	static <T> CompletionStage<T> refusing() {
		return CompletableFuture.failedStage(new UnsupportedOperationException("store is full"));
	}

	FakeStore onAcquire(Supplier<CompletionStage<AcquireReply>> acquire) {
		this.acquire = acquire;
		return this;
	}

	FakeStore onKeepQueued(
			Function<Collection<LockAttempt>, CompletionStage<Map<LockAttempt, AcquireReply>>> keepQueued) {
		this.keepQueued = keepQueued;
		return this;
	}

	static CompletionStage<Map<LockAttempt, AcquireReply>> kept(Collection<LockAttempt> attempts, long storeMicros) {
		AcquireReply.Queued queued = new AcquireReply.Queued(30_000, storeMicros, false);
		return CompletableFuture
			.completedStage(attempts.stream().collect(Collectors.toMap((attempt) -> attempt, (attempt) -> queued)));
	}

	FakeStore onInspect(Function<String, CompletionStage<LockState>> inspect) {
		this.inspect = inspect;
		return this;
	}

	void setInstances(Instances instances) {
		this.instances = instances;
	}

	/** Keep locks of these names. */
	void setNames(List<String> names) {
		this.names = names;
	}

	FakeStore onRenew(Supplier<CompletionStage<RenewReply>> renew) {
		this.renew = renew;
		return this;
	}

	FakeStore onRelease(Supplier<CompletionStage<ReleaseReply>> release) {
		this.release = release;
		return this;
	}

	/** Answer the next acquires when a test completes the reply. */
	CompletableFuture<AcquireReply> acquiresLater() {
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		onAcquire(() -> reply);
		return reply;
	}

	CompletableFuture<RenewReply> renewsLater() {
		CompletableFuture<RenewReply> reply = new CompletableFuture<>();
		onRenew(() -> reply);
		return reply;
	}

	CompletableFuture<ReleaseReply> releasesLater() {
		CompletableFuture<ReleaseReply> reply = new CompletableFuture<>();
		onRelease(() -> reply);
		return reply;
	}

	/** Return and clear the names of the recorded calls in order. */
	List<String> takeCalls() {
		List<String> taken = List.copyOf(this.calls);
		this.calls.clear();
		return taken;
	}

	/** Return the number of calls that {@link #takeCalls} will return. */
	int calls() {
		return this.calls.size();
	}

	/** Return the names of the locks that were released so far in order. */
	List<String> releasedLocks() {
		return List.copyOf(this.releasedLocks);
	}

	Queueing lastQueueing() {
		return this.queueing;
	}

	/** Push to the engine. */
	LockPushes push() {
		return Objects.requireNonNull(this.pushes);
	}

	/** Issue the last tokens again, as after a fail-over that lost them. */
	void repeatTokens() {
		this.token = -1000;
	}

	/** Grant a lock to an attempt. */
	void grant(LockAttempt attempt, long storeMicros, long claimMillis) {
		this.token += 1000;
		push().granted(new LockPushes.Grant(attempt.withLeaseMillis(claimMillis), this.token, this.token + RESERVED,
				storeMicros, 0));
	}

	/** Return the token of the last release. */
	long lastUsedToken() {
		return this.usedToken;
	}

	long lastSeenToken() {
		return this.seenToken;
	}

	LockAttempt lastAttempt() {
		return this.attempts.get(this.attempts.size() - 1);
	}

	@Override
	public StoreTraits traits() {
		return this.traits;
	}

	void setTraits(StoreTraits traits) {
		this.traits = traits;
	}

	/** Be a store without a queue, whose waiters poll. */
	void hideWaiters() {
		this.traits = new StoreTraits("a test", this.traits.tokens(), StoreTraits.Waiting.POLLING, this.traits.leases(),
				this.traits.kinds());
	}

	@Override
	public String instance() {
		return "jvm";
	}

	@Override
	public void listen(LockPushes pushes) {
		this.pushes = pushes;
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		this.queueing = queueing;
		this.seenToken = seenToken;
		return reply("acquire", attempt, this.acquire);
	}

	@Override
	public CompletionStage<Map<LockAttempt, AcquireReply>> confirmQueued(String lock,
			Map<LockAttempt, Long> sinceMicros) {
		this.calls.add("keep " + sinceMicros.size());
		return this.keepQueued.apply(sinceMicros.keySet());
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt attempt) {
		return reply("renew", attempt, this.renew);
	}

	@Override
	public CompletionStage<RenewReply> extend(LockAttempt attempt, boolean asks) {
		this.extensions.add(asks);
		return renew(attempt);
	}

	/** Return and clear which of the extensions asked who waits. */
	List<Boolean> takeExtensions() {
		List<Boolean> taken = List.copyOf(this.extensions);
		this.extensions.clear();
		return taken;
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		if (keptMillis > 0) {
			return reply("release later", attempt.withLeaseMillis(keptMillis), this.release);
		}
		this.usedToken = usedToken;
		this.releasedLocks.add(attempt.lock());
		return reply("release", attempt, this.release);
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		return reply("downgrade", attempt, this.renew);
	}

	@Override
	public LockAdministration administration() {
		return this;
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return CompletableFuture.completedStage(true);
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return this.inspect.apply(lock);
	}

	@Override
	public @Nullable Instances instances() {
		return this.instances;
	}

	@Override
	public CompletionStage<List<String>> list(String pattern, String after, int most) {
		return CompletableFuture.completedStage(LockAdministration.first(this.names.stream(), pattern, after, most));
	}

	@Override
	public FailedCall failureOf(Throwable failure) {
		return (failure instanceof UnsupportedOperationException) ? FailedCall.REFUSED
				: (failure instanceof UncheckedIOException) ? FailedCall.CUT : FailedCall.UNKNOWN;
	}

	@Override
	public void close() {
	}

	private <T> CompletionStage<T> reply(String verb, LockAttempt attempt, Supplier<CompletionStage<T>> reply) {
		this.calls.add(verb);
		this.attempts.add(attempt);
		return (this.attempts.size() < MOST_CALLS) ? reply.get() : new CompletableFuture<>();
	}

}
