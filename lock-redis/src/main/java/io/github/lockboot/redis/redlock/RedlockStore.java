package io.github.lockboot.redis.redlock;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * Leases at several independent stores: a caller owns a lock while it owns it at a
 * majority of them. All members are called in parallel and acquire without queueing;
 * nothing is pushed. A minority that is down or does not respond delays a call by one
 * time limit at most, and only if the other members do not decide.
 * <p>
 * This is the Redlock algorithm of Redis, with a fencing token. Each member reserves
 * tokens for a second ahead of its time, or for the lease if that is shorter, so a quorum
 * of members remembers the token unless the clocks differ by more; in that case the token
 * is written to a quorum before the lock is granted.
 */
final class RedlockStore implements LockStore, LockAdministration {

	/**
	 * The traits without permits. Any two majorities have a member in common, which
	 * separates an exclusive holder from all others. But of three holders of two permits,
	 * each of three members may count only two.
	 */
	private static final StoreTraits TRAITS = new StoreTraits("Redlock", StoreTraits.Tokens.TIMES,
			StoreTraits.Waiting.POLLING, StoreTraits.Leases.LOCK,
			Set.of(StoreTraits.Kind.EXCLUSIVE, StoreTraits.Kind.SHARED));

	private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private final List<RedlockRound.Member> members;

	private final MonotonicClock clock;

	private final int quorum;

	/** The rounds that may own their lock at a quorum, by the ids of their owners. */
	private final Map<String, RedlockRound> rounds = new ConcurrentHashMap<>();

	private final AtomicLong count = new AtomicLong();

	private final String instance = LockStore.newInstance();

	RedlockStore(List<? extends LockStore> members, MonotonicClock clock) {
		this.members = members.stream().map((member) -> RedlockRound.Member.of(member, clock)).toList();
		this.clock = clock;
		this.quorum = this.members.size() / 2 + 1;
	}

	@Override
	public StoreTraits traits() {
		return TRAITS;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt owner, long seenToken, Queueing queueing,
			long blockNanos) {
		RedlockRound round = this.rounds.compute(owner.id(), (id, last) -> (last != null && last.isWon()) ? last
				: new RedlockRound(id + "R" + Long.toString(this.count.incrementAndGet(), 36)));
		boolean alreadyWon = round.isWon();
		LockAttempt roundOwner = round.ownerOf(owner);
		return QuorumVote.decide(acquireAtAll(round, roundOwner, seenToken), this::acquired)
			.thenCompose((reply) -> (reply instanceof AcquireReply.Owned owned && owned.reserved() < owned.token())
					? writeToken(round, roundOwner, owned.token()) : CompletableFuture.completedStage(reply))
			.whenComplete((reply, failure) -> {
				if (reply instanceof AcquireReply.Owned) {
					round.won();
				}
				else if (reply != null || !alreadyWon) {
					this.rounds.remove(owner.id(), round);
					long nowNanos = this.clock.nanoTime();
					this.members.forEach((member) -> round.abandonAt(member, roundOwner, false, nowNanos));
				}
			});
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt owner) {
		return renew(owner, LockStore::renew);
	}

	/** Extend the leases of members, which do not know of others that poll. */
	@Override
	public CompletionStage<RenewReply> extend(LockAttempt owner, boolean asks) {
		return renew(owner, (store, roundOwner) -> store.extend(roundOwner, false));
	}

	private CompletionStage<RenewReply> renew(LockAttempt owner,
			BiFunction<LockStore, LockAttempt, CompletionStage<RenewReply>> call) {
		RedlockRound round = this.rounds.get(owner.id());
		if (round == null) {
			return CompletableFuture.completedStage(NOT_OWNER);
		}
		LockAttempt roundOwner = round.ownerOf(owner);
		List<CompletionStage<RenewReply>> calls = callAll((store) -> call.apply(store, roundOwner));
		return QuorumVote.decide(calls, this::renewed).whenComplete((reply, failure) -> {
			if (reply == NOT_OWNER) {
				this.rounds.remove(owner.id(), round);
				abandonUnless(RenewReply.NotOwner.class, calls, round, roundOwner, this.clock.nanoTime());
			}
		});
	}

	/**
	 * Release the lock at all members. A member that misses the release is called again
	 * in the background: the lock would stay held at this member, and two such members
	 * out of three block all other callers. A round without a quorum is already being
	 * released. One that keeps the lock for a minimum hold time is over at once, so that
	 * no renewal reaches it, and nobody else repeats its release.
	 */
	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt owner, long usedToken, long keptMillis) {
		boolean kept = keptMillis > 0;
		RedlockRound round = kept ? this.rounds.remove(owner.id()) : this.rounds.get(owner.id());
		if (round == null) {
			return CompletableFuture.completedStage(ReleaseReply.NOT_OWNER);
		}
		LockAttempt roundOwner = round.ownerOf(owner);
		List<CompletionStage<ReleaseReply>> calls = callAll(round, roundOwner, usedToken,
				(store, attempt, used) -> store.release(attempt, used, keptMillis));
		long keptUntilNanos = this.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(keptMillis);
		return QuorumVote.decide(calls, RedlockStore::released).whenComplete((reply, failure) -> {
			if (reply != null || kept) {
				this.rounds.remove(owner.id(), round);
				abandonUnless(ReleaseReply.class, calls, round, roundOwner, keptUntilNanos);
			}
			else { // the caller retries, at most until the lease expires
				long leaseNanos = TimeUnit.MILLISECONDS.toNanos(owner.leaseMillis());
				this.clock.schedule(this.clock.nanoTime() + 2 * leaseNanos,
						() -> this.rounds.remove(owner.id(), round));
			}
		});
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt owner, long usedToken) {
		RedlockRound round = this.rounds.get(owner.id());
		if (round == null) {
			return CompletableFuture.completedStage(NOT_OWNER);
		}
		LockAttempt roundOwner = round.ownerOf(owner);
		return QuorumVote.decide(callAll(round, roundOwner, usedToken, LockStore::downgrade), this::renewed);
	}

	@Override
	public LockAdministration administration() {
		return this;
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return awaitAll((store) -> store.administration().forceRelease(lock), (replies) -> replies.contains(true));
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return awaitAll((store) -> store.administration().inspect(lock), (states) -> state(lock, states));
	}

	/** Return the names that any member has; a majority decides whether they are held. */
	@Override
	public CompletionStage<List<String>> list(String pattern, String after, int most) {
		return awaitAll((store) -> store.administration().list(pattern, after, most),
				(names) -> LockAdministration.first(names.stream().flatMap(List::stream), pattern, after, most));
	}

	@Override
	public @Nullable Instances instances() {
		List<Instances> all = this.members.stream()
			.map((member) -> member.store().administration().instances())
			.filter(Objects::nonNull)
			.toList();
		return all.isEmpty() ? null : new MemberInstances(all);
	}

	@Override
	public void callFailed(String lock) {
		this.members.forEach((member) -> member.store().callFailed(lock));
	}

	@Override
	public void close() {
		this.members.forEach((member) -> member.store().close());
	}

	// ---- evaluation of replies

	/**
	 * Evaluate the replies to an acquisition. The token must be higher than the tokens of
	 * all former owners. At least one member of any quorum knows these tokens, so the
	 * token is the highest one of a quorum.
	 * @return owned, busy, or {@code null} while the vote is open. The reserved tokens
	 * are those that a quorum has stored, and may be below the token
	 */
	private @Nullable AcquireReply acquired(QuorumVote<AcquireReply> votes) {
		List<AcquireReply.Owned> owned = votes.of(AcquireReply.Owned.class);
		if (owned.size() >= votes.quorum()) {
			long token = owned.stream().mapToLong(AcquireReply.Owned::token).max().orElseThrow();
			return new AcquireReply.Owned(token,
					rememberedByQuorum(owned.stream().mapToLong(AcquireReply.Owned::reserved)), UNKNOWN_QUEUE);
		}
		List<AcquireReply.Busy> busy = votes.of(AcquireReply.Busy.class);
		int failures = votes.failures().size();
		return (!votes.preventQuorum(failures) && votes.preventQuorum(busy.size() + failures))
				? new AcquireReply.Busy(remainingMillis(owned.size(), busy)) : null;
	}

	private @Nullable RenewReply renewed(QuorumVote<RenewReply> votes) {
		List<RenewReply.Renewed> renewed = votes.of(RenewReply.Renewed.class);
		if (renewed.size() >= votes.quorum()) {
			return new RenewReply.Renewed(rememberedByQuorum(renewed.stream().mapToLong(RenewReply.Renewed::reserved)),
					UNKNOWN_QUEUE);
		}
		return votes.preventQuorum(votes.of(RenewReply.NotOwner.class).size()) ? NOT_OWNER : null;
	}

	private static @Nullable ReleaseReply released(QuorumVote<ReleaseReply> votes) {
		int released = Collections.frequency(votes.replies(), ReleaseReply.RELEASED);
		if (released >= votes.quorum()) {
			return ReleaseReply.RELEASED;
		}
		return votes.preventQuorum(votes.replies().size() - released) ? ReleaseReply.NOT_OWNER : null;
	}

	/**
	 * Return the state of a lock. Members that do not reply may complete the quorum of
	 * any owner.
	 */
	private LockState state(String lock, List<LockState> states) {
		int missing = this.members.size() - states.size();
		List<LockState> held = states.stream()
			.filter((state) -> state.isHeld() && countLike(state, states) + missing >= this.quorum)
			.sorted(Comparator.comparing((LockState state) -> -countLike(state, states))
				.thenComparing((state) -> Objects.requireNonNullElse(state.remaining(), FOREVER)))
			.toList();
		long token = states.stream().mapToLong(LockState::fencingToken).max().orElse(0);
		if (held.isEmpty()) {
			return new LockState(lock, null, null, token, 0, 0);
		}
		long holders = held.stream().mapToLong(LockState::holders).max().orElse(0);
		boolean oneOwner = held.stream().map(LockState::owner).distinct().count() == 1;
		// of the owner without the suffix of its round; nobody, if it may be another one
		List<LockState.Holder> heldBy = (oneOwner ? held.get(0).heldBy() : List.<LockState.Holder>of()).stream()
			.map((holder) -> LockState.Holder.unknown(holder.owner().replaceFirst("(:[0-9a-z]+)R[0-9a-z]+$", "$1")))
			.toList();
		return new LockState(lock, held.get(0).owner(), held.get(0).remaining(), token, holders, 0, heldBy);
	}

	private static long countLike(LockState like, List<LockState> states) {
		return states.stream().filter((state) -> Objects.equals(state.owner(), like.owner())).count();
	}

	/** Return the highest token that at least a quorum of these members will exceed. */
	private long rememberedByQuorum(LongStream reserved) {
		return reserved.boxed().sorted(Comparator.reverseOrder()).skip(this.quorum - 1L).findFirst().orElseThrow();
	}

	/** Return when so many of the busy members are free that a quorum is possible. */
	private long remainingMillis(int free, List<AcquireReply.Busy> busy) {
		List<Long> ends = busy.stream()
			.map(AcquireReply.Busy::remainingMillis)
			.map((remaining) -> (remaining < 0) ? Long.MAX_VALUE : remaining)
			.sorted()
			.toList();
		int needed = Math.min(Math.max(this.quorum - free, 1), ends.size());
		long end = (needed > 0) ? ends.get(needed - 1) : Long.MAX_VALUE;
		return (end < Long.MAX_VALUE) ? end : -1;
	}

	// ---- calls to the members

	private List<CompletionStage<AcquireReply>> acquireAtAll(RedlockRound round, LockAttempt roundOwner,
			long seenToken) {
		return this.members.stream().map((member) -> {
			CompletionStage<AcquireReply> reply = LockStore
				.call(() -> member.store().acquire(roundOwner, seenToken, Queueing.NO, 0));
			round.called(member, reply);
			return reply;
		}).toList();
	}

	/**
	 * Write a token to a quorum, because fewer members would exceed the token by
	 * themselves.
	 */
	private CompletionStage<AcquireReply> writeToken(RedlockRound round, LockAttempt roundOwner, long token) {
		return QuorumVote.decide(acquireAtAll(round, roundOwner, token), this::acquired)
			.thenApply((reply) -> (reply instanceof AcquireReply.Owned owned)
					? new AcquireReply.Owned(token, owned.reserved(), UNKNOWN_QUEUE) : reply);
	}

	/**
	 * Release a round at the members that have not replied as expected, or to a request.
	 */
	private <T> void abandonUnless(Class<? extends T> expected, List<CompletionStage<T>> calls, RedlockRound round,
			LockAttempt roundOwner, long keptUntilNanos) {
		for (int i = 0; i < calls.size(); i++) {
			RedlockRound.Member member = this.members.get(i);
			calls.get(i)
				.whenComplete((reply, failure) -> round.abandonAt(member, roundOwner, expected.isInstance(reply),
						keptUntilNanos));
		}
	}

	private <T> List<CompletionStage<T>> callAll(Function<LockStore, CompletionStage<T>> call) {
		return this.members.stream().map((member) -> LockStore.call(() -> call.apply(member.store()))).toList();
	}

	private <T> List<CompletionStage<T>> callAll(RedlockRound round, LockAttempt roundOwner, long usedToken,
			UsedTokenCall<T> call) {
		return this.members.stream()
			.map((member) -> round.usedTokenAt(member, usedToken)
				.thenCompose((used) -> LockStore.call(() -> call.apply(member.store(), roundOwner, used))))
			.toList();
	}

	/** Wait for all members, a quorum of which has to reply. */
	private <T, R> CompletionStage<R> awaitAll(Function<LockStore, CompletionStage<T>> call,
			Function<List<T>, R> result) {
		return QuorumVote.decide(callAll(call),
				(votes) -> (votes.missing() == 0 && votes.replies().size() >= votes.quorum())
						? result.apply(votes.replies()) : null);
	}

	/** Texts about JVMs, which all members keep; the first one to reply is enough. */
	private record MemberInstances(List<Instances> members) implements Instances {

		@Override
		public CompletionStage<Void> write(String instance, String text, long lifeMillis) {
			List<CompletionStage<Boolean>> calls = call(
					(member) -> member.write(instance, text, lifeMillis).thenApply((written) -> true));
			return QuorumVote.decide(calls, (votes) -> votes.replies().stream().findFirst().orElse(null))
				.thenAccept((written) -> {
				});
		}

		@Override
		public CompletionStage<String> read(String instance) {
			List<CompletionStage<String>> calls = call((member) -> member.read(instance));
			return QuorumVote.decide(calls,
					(votes) -> votes.replies().stream().filter(StringUtils::hasText).findFirst().orElse(null));
		}

		private <T> List<CompletionStage<T>> call(Function<Instances, CompletionStage<T>> call) {
			return this.members.stream().map((member) -> LockStore.call(() -> call.apply(member))).toList();
		}

	}

	/** A call with the highest token that the owner has issued. */
	private interface UsedTokenCall<T> {

		CompletionStage<T> apply(LockStore store, LockAttempt roundOwner, long usedToken);

	}

}
