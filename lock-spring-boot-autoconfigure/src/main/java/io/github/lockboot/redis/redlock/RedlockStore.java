package io.github.lockboot.redis.redlock;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Busy;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Owned;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * Leases at several independent stores: the caller owns a lock while a majority of them
 * says so. All are asked at once, under one name, and only tried: nobody queues, nothing
 * is pushed. A minority that is dead or stands still costs a time limit at most, and only
 * where the others do not decide.
 * <p>
 * This is Redis' own Redlock, with a fencing token: each member promises tokens for a
 * second ahead of its time, or for the lease if that is shorter, so that a quorum of
 * members remembers the token given out unless their clocks differ by more; then it is
 * written to a quorum before the lock is given out.
 */
final class RedlockStore implements LockStore {

	private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private final List<RedlockMember> members;

	private final MonotonicClock clock;

	private final int quorum;

	/** By the owner names of the attempts that a quorum may know. */
	private final Map<String, RedlockRound> rounds = new ConcurrentHashMap<>();

	private final AtomicLong count = new AtomicLong();

	private final String instance = HexFormat.of().toHexDigits(new SecureRandom().nextLong());

	RedlockStore(Collection<RedlockMember> members, MonotonicClock clock) {
		this.members = List.copyOf(members);
		this.clock = clock;
		this.quorum = this.members.size() / 2 + 1;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockOwner attempt, long seenToken, Queueing queueing) {
		RedlockRound round = begin(attempt);
		boolean owner = round.isWon();
		LockOwner named = round.named(attempt);
		return QuorumVote.decide(askToOwn(round, named, seenToken), this::acquired)
			.thenCompose((reply) -> (reply instanceof Owned owned && owned.reserved() < owned.token())
					? remember(round, named, owned.token()) : CompletableFuture.completedStage(reply))
			.whenComplete((reply, failure) -> {
				if (reply instanceof Owned) {
					round.won();
				}
				else if (reply != null || !owner) {
					this.rounds.remove(attempt.id(), round);
					this.members.forEach((member) -> round.abandonAt(member, named, 0));
				}
			});
	}

	/** Begins a round of an attempt. One that has been won goes on. */
	private RedlockRound begin(LockOwner attempt) {
		return this.rounds.compute(attempt.id(), (owner, last) -> (last != null && last.isWon()) ? last
				: new RedlockRound(owner + "R" + Long.toString(this.count.incrementAndGet(), 36)));
	}

	@Override
	public CompletionStage<RenewReply> renew(LockOwner attempt) {
		RedlockRound round = this.rounds.get(attempt.id());
		if (round == null) {
			return CompletableFuture.completedStage(NOT_OWNER);
		}
		LockOwner named = round.named(attempt);
		List<CompletionStage<RenewReply>> asked = askAll((store) -> store.renew(named));
		return QuorumVote.decide(asked, this::renewed).whenComplete((reply, failure) -> {
			if (reply == NOT_OWNER) {
				this.rounds.remove(attempt.id(), round);
				abandonUnless(asked, RenewReply.NotOwner.class, round, named, 0);
			}
		});
	}

	/**
	 * A member that misses the release is told again in the background: its lock would
	 * stay taken there, and two such members out of three keep it from everybody. What no
	 * quorum has agreed to is being released already.
	 */
	@Override
	public CompletionStage<ReleaseReply> release(LockOwner attempt, long usedToken) {
		RedlockRound round = this.rounds.get(attempt.id());
		if (round == null) {
			return CompletableFuture.completedStage(ReleaseReply.NOT_OWNER);
		}
		LockOwner named = round.named(attempt);
		List<CompletionStage<ReleaseReply>> asked = askAll((store) -> store.release(named, usedToken));
		return QuorumVote.decide(asked, RedlockStore::released).whenComplete((reply, failure) -> {
			if (reply != null) {
				this.rounds.remove(attempt.id(), round);
				abandonUnless(asked, ReleaseReply.class, round, named, usedToken);
			}
			else { // it is asked again, at most until the lease is over
				long lease = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
				this.clock.schedule(this.clock.nanoTime() + 2 * lease, () -> this.rounds.remove(attempt.id(), round));
			}
		});
	}

	@Override
	public CompletionStage<ReleaseReply> releaseLater(LockOwner attempt, long usedToken) {
		RedlockRound round = this.rounds.remove(attempt.id());
		if (round == null) {
			return CompletableFuture.completedStage(ReleaseReply.NOT_OWNER);
		}
		LockOwner named = round.named(attempt);
		List<CompletionStage<ReleaseReply>> asked = askAll((store) -> store.releaseLater(named, usedToken));
		return QuorumVote.decide(asked, RedlockStore::released).whenComplete((reply, failure) -> {
			if (reply != null) { // the others keep it for as long as it has to be
				abandonUnless(asked, ReleaseReply.class, round, named, usedToken);
			}
		});
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockOwner attempt, long usedToken) {
		RedlockRound round = this.rounds.get(attempt.id());
		if (round == null) {
			return CompletableFuture.completedStage(NOT_OWNER);
		}
		LockOwner named = round.named(attempt);
		return QuorumVote.decide(askAll((store) -> store.downgrade(named, usedToken)), this::renewed);
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return QuorumVote.decide(askAll((store) -> store.forceRelease(lock)), (votes) -> {
			boolean enough = votes.replies().size() >= votes.quorum() && votes.open() == 0;
			return enough ? (Boolean) votes.replies().contains(true) : null;
		});
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return QuorumVote.decide(askAll((store) -> store.inspect(lock)),
				(votes) -> (votes.replies().size() >= votes.quorum() && votes.open() == 0)
						? agreed(lock, votes.replies()) : null);
	}

	/**
	 * Any two majorities have a member in common, which keeps one who wants a lock alone
	 * from all others. But three holders of two permits each count no more than two at
	 * each of three members.
	 */
	@Override
	public boolean countsPermits() {
		return false;
	}

	@Override
	public void close() {
		this.members.forEach(RedlockMember::close);
	}

	// ---- what the answers mean

	/**
	 * The token must be above all that former owners had, and at least one of any quorum
	 * knows of those: so it is the highest of a quorum.
	 * @return owned, busy, or {@code null} while it is open. The tokens reserved are
	 * those that a quorum remembers, and may be below the token.
	 */
	private @Nullable AcquireReply acquired(QuorumVote.Votes<AcquireReply> votes) {
		List<Owned> owned = votes.of(Owned.class);
		if (owned.size() >= votes.quorum()) {
			long token = owned.stream().mapToLong(Owned::token).max().orElseThrow();
			return new Owned(token, rememberedByQuorum(owned.stream().mapToLong(Owned::reserved)), UNKNOWN_QUEUE);
		}
		List<Busy> busy = votes.of(Busy.class);
		if (votes.isLost(votes.failures().size())) {
			return null;
		}
		return votes.isLost(busy.size() + votes.failures().size()) ? new Busy(remainingMillis(owned.size(), busy))
				: null;
	}

	private @Nullable RenewReply renewed(QuorumVote.Votes<RenewReply> votes) {
		List<RenewReply.Renewed> renewed = votes.of(RenewReply.Renewed.class);
		if (renewed.size() >= votes.quorum()) {
			return new RenewReply.Renewed(rememberedByQuorum(renewed.stream().mapToLong(RenewReply.Renewed::reserved)),
					UNKNOWN_QUEUE);
		}
		return votes.isLost(votes.of(RenewReply.NotOwner.class).size()) ? NOT_OWNER : null;
	}

	private static @Nullable ReleaseReply released(QuorumVote.Votes<ReleaseReply> votes) {
		long released = votes.replies().stream().filter((reply) -> reply == ReleaseReply.RELEASED).count();
		if (released >= votes.quorum()) {
			return ReleaseReply.RELEASED;
		}
		return votes.isLost(votes.replies().size() - (int) released) ? ReleaseReply.NOT_OWNER : null;
	}

	/** Members that do not answer may make up the quorum of any owner. */
	private LockState agreed(String lock, List<LockState> states) {
		int silent = this.members.size() - states.size();
		List<LockState> held = states.stream()
			.filter((state) -> state.isHeld() && owned(states, state) + silent >= this.quorum)
			.sorted(Comparator.comparing((LockState state) -> -owned(states, state))
				.thenComparing((state) -> Objects.requireNonNullElse(state.remaining(), FOREVER)))
			.toList();
		long token = states.stream().mapToLong(LockState::fencingToken).max().orElse(0);
		if (held.isEmpty()) {
			return new LockState(lock, null, null, token, 0, 0);
		}
		long holders = held.stream().mapToLong(LockState::holders).max().orElse(0);
		return new LockState(lock, held.get(0).owner(), held.get(0).remaining(), token, holders, 0);
	}

	private static long owned(List<LockState> states, LockState like) {
		return states.stream().filter((state) -> Objects.equals(state.owner(), like.owner())).count();
	}

	/** The highest token that at least a quorum of these members will exceed. */
	private long rememberedByQuorum(LongStream reserved) {
		return reserved.boxed().sorted(Comparator.reverseOrder()).skip(this.quorum - 1L).findFirst().orElseThrow();
	}

	/** When so many of the busy ones are free that a quorum may be had. */
	private long remainingMillis(int free, List<Busy> busy) {
		List<Long> ends = busy.stream()
			.map(Busy::remainingMillis)
			.map((remaining) -> (remaining < 0) ? Long.MAX_VALUE : remaining)
			.sorted()
			.toList();
		int needed = Math.min(Math.max(this.quorum - free, 1), ends.size());
		long end = (needed > 0) ? ends.get(needed - 1) : Long.MAX_VALUE;
		return (end < Long.MAX_VALUE) ? end : -1;
	}

	// ---- what the members are asked

	private List<CompletionStage<AcquireReply>> askToOwn(RedlockRound round, LockOwner named, long seenToken) {
		return this.members.stream().map((member) -> {
			CompletionStage<AcquireReply> answer = member.ask((store) -> store.acquire(named, seenToken, Queueing.NO));
			round.asked(member, answer);
			return answer;
		}).toList();
	}

	/** Let a quorum know a token that only fewer members would exceed by themselves. */
	private CompletionStage<AcquireReply> remember(RedlockRound round, LockOwner named, long token) {
		return QuorumVote.decide(askToOwn(round, named, token), this::acquired)
			.thenApply((reply) -> (reply instanceof Owned owned) ? new Owned(token, owned.reserved(), UNKNOWN_QUEUE)
					: reply);
	}

	/** Releases a round at the members that have not answered as it is wished. */
	private <T> void abandonUnless(List<CompletionStage<T>> asked, Class<? extends T> wished, RedlockRound round,
			LockOwner named, long usedToken) {
		for (int i = 0; i < asked.size(); i++) {
			RedlockMember member = this.members.get(i);
			asked.get(i).whenComplete((reply, failure) -> {
				if (!wished.isInstance(reply)) {
					round.abandonAt(member, named, usedToken);
				}
			});
		}
	}

	private <T> List<CompletionStage<T>> askAll(Function<LockStore, CompletionStage<T>> question) {
		return this.members.stream().map((member) -> member.ask(question)).toList();
	}

}
