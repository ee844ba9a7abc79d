package io.github.lockboot.fencing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All orders of the steps of three holders, each of which increments a number three
 * times: under a first hold of the lock it reads in one transaction and writes in another
 * one, under a second and third one it does both in one. One holder reads in a
 * transaction that only reads, before which a short one admits it. The lock may be lost
 * before any step, and nobody is told; one holder may die. A holder that takes no step is
 * suspended. That a lock is acquired inside the transaction makes no difference, as its
 * holder is admitted before it reads. Once, the database unlocks the row of a transaction
 * that goes on: it undoes what that one has stored, or commits it.
 */
@Tag("long")
class FenceModelTests {

	/** So often the lock is lost, and half as often if a row is unlocked. */
	private static final int LOSSES = 4;

	private static final int TRANSACTIONS = 4;

	/** How a protocol would be wrong. */
	enum Mistake {

		NO_FENCE, NOT_ADMITTED_TO_READ_ONLY, ADMITTED_AFTER_THE_FIRST_READ, ADMITTED_AT_THE_COMMIT_IF_ACQUIRED_INSIDE,
		ROW_UNLOCKED_AT_ONCE, LOWER_TOKEN_ADMITTED, ROW_NOT_LOCKED_AGAIN_AT_THE_COMMIT

	}

	/** The steps of a holder, in their order if it acquires before the transaction. */
	private enum Step {

		ACQUIRE, ADMIT, READ, COMMIT, RELEASE, END

	}

	@Test
	void noUpdateIsLostInAnyOrderOfSteps() {
		Search search = new Search(null);
		assertThat(search.shortestViolation()).isNull();
		System.out.println("The fence: " + search.seen.size() + " states, " + search.steps + " steps");
		assertThat(search.seen).hasSizeGreaterThan(1_000_000);
	}

	@ParameterizedTest
	@EnumSource
	void aMistakeLosesAnUpdate(Mistake mistake) {
		List<String> story = new Search(mistake).shortestViolation();
		System.out.println(mistake + ": " + story);
		assertThat(story).isNotNull().hasSizeLessThan(20);
	}

	/** Breadth first, so that the first violation is a shortest one. */
	private static final class Search {

		private final @Nullable Mistake mistake;

		private final Set<Long> seen = new HashSet<>();

		/** How each state was reached, to tell the story of a mistake. */
		private final Map<Long, Change> reached = new HashMap<>();

		private long steps;

		Search(@Nullable Mistake mistake) {
			this.mistake = mistake;
		}

		@Nullable List<String> shortestViolation() {
			ArrayDeque<State> queue = new ArrayDeque<>();
			State first = new State(3);
			this.seen.add(first.key());
			queue.add(first);
			for (State state = queue.poll(); state != null; state = queue.poll()) {
				boolean stuck = true;
				for (Change change : changes(state)) {
					this.steps++;
					stuck = false;
					if (this.seen.add(change.state.key())) {
						if (this.mistake != null) {
							this.reached.put(change.state.key(), new Change(change.name, state));
						}
						if (change.state.value != change.state.commits) {
							return story(change.state);
						}
						queue.add(change.state);
					}
				}
				if (stuck && !state.isOver()) {
					throw new AssertionError("everybody waits: " + state);
				}
			}
			return null;
		}

		private List<String> story(State end) {
			List<String> story = new ArrayList<>();
			for (Change last = this.reached.get(end.key()); last != null; last = this.reached.get(last.state.key())) {
				story.add(0, last.name);
			}
			return story;
		}

		private List<Change> changes(State state) {
			List<Change> changes = new ArrayList<>();
			boolean dead = state.owner >= 0 && state.holders[state.owner].step == Step.END;
			if (state.owner >= 0 && (dead || state.losses < (state.unlocked ? LOSSES / 2 : LOSSES))) {
				State next = state.copy();
				next.owner = -1;
				next.losses += dead ? 0 : 1;
				changes.add(new Change("the lock is lost", next));
			}
			if (state.lockedBy >= 0 && !state.unlocked && state.losses <= LOSSES / 2) {
				changes.add(new Change("the row is undone", state.unlocked(state.stored)));
				changes.add(new Change("the row is committed", state.unlocked(state.token)));
			}
			boolean allLive = state.isAlive();
			for (int i = 0; i < state.holders.length; i++) {
				Holder holder = state.holders[i];
				if (holder.step == Step.END) {
					continue;
				}
				State next = step(state, i);
				if (next != null) {
					changes.add(new Change(i + " " + holder.step, next));
				}
				if (allLive) {
					State without = state.copy();
					without.rollBack(i);
					without.holders[i] = new Holder(Step.END, 0, 0, 0);
					changes.add(new Change(i + " dies", without));
				}
			}
			return changes;
		}

		/** Return {@code null} if the holder has to wait. */
		private @Nullable State step(State state, int i) {
			State next = state.copy();
			Holder holder = next.holders[i];
			switch (holder.step) {
				case ACQUIRE -> {
					if (state.owner >= 0) {
						return null;
					}
					next.owner = i;
					next.holders[i] = holder.with(admitsLater(i) ? Step.READ : Step.ADMIT, ++next.tokens);
				}
				case ADMIT -> {
					// of the first holder, this one only reads
					boolean readOnly = i == 0 && holder.ended == 0;
					if (this.mistake != Mistake.NO_FENCE
							&& !(readOnly && this.mistake == Mistake.NOT_ADMITTED_TO_READ_ONLY)) {
						if (state.lockedBy >= 0 && state.lockedBy != i) {
							return null;
						}
						if (holder.token < state.token && this.mistake != Mistake.LOWER_TOKEN_ADMITTED) {
							next.rollBack(i);
							next.holders[i] = holder.to(Step.RELEASE);
							return next;
						}
						next.token = Math.max(state.token, holder.token);
						next.lockedBy = i;
						if (readOnly || this.mistake == Mistake.ROW_UNLOCKED_AT_ONCE) {
							next.commit(i);
						}
					}
					next.holders[i] = holder.to((admitsLater(i) || holder.ended == 1) ? Step.COMMIT : Step.READ);
				}
				case READ -> next.holders[i] = holder.read(admitsLater(i) ? Step.ADMIT : Step.COMMIT, state.value);
				case COMMIT -> {
					if (verifies(i, holder) && state.lockedBy != i) {
						if (state.lockedBy >= 0) {
							return null;
						}
						if (state.token != holder.token) {
							next.holders[i] = holder.to(Step.RELEASE);
							return next;
						}
					}
					next.commit(i);
					if (holder.ended == 0) {
						next.holders[i] = holder.nextOfHold();
					}
					else {
						next.value = holder.value + 1;
						next.commits++;
						next.holders[i] = holder.to(Step.RELEASE);
					}
				}
				case RELEASE -> {
					if (state.owner == i) {
						next.owner = -1;
					}
					next.holders[i] = holder.again();
				}
				default -> throw new IllegalStateException();
			}
			return next;
		}

		/** A transaction that only reads has no row. */
		private boolean verifies(int i, Holder holder) {
			return (i > 0 || holder.ended > 0) && this.mistake != Mistake.NO_FENCE
					&& this.mistake != Mistake.ROW_UNLOCKED_AT_ONCE
					&& this.mistake != Mistake.ROW_NOT_LOCKED_AGAIN_AT_THE_COMMIT;
		}

		/** The last holder acquires inside its transaction. */
		private boolean admitsLater(int holder) {
			return this.mistake == Mistake.ADMITTED_AFTER_THE_FIRST_READ
					|| (this.mistake == Mistake.ADMITTED_AT_THE_COMMIT_IF_ACQUIRED_INSIDE && holder == 2);
		}

	}

	private record Change(String name, State state) {

	}

	/** What a holder knows. */
	private record Holder(Step step, int token, int value, int ended) {

		Holder to(Step next) {
			return new Holder(next, this.token, this.value, this.ended);
		}

		Holder with(Step next, int newToken) {
			return new Holder(next, newToken, this.value, this.ended);
		}

		Holder read(Step next, int newValue) {
			return new Holder(next, this.token, newValue, this.ended);
		}

		Holder nextOfHold() {
			return new Holder(Step.ADMIT, this.token, this.value, 1);
		}

		Holder again() {
			return (this.ended + 1 >= TRANSACTIONS) ? new Holder(Step.END, 0, 0, 0)
					: new Holder(Step.ACQUIRE, 0, 0, Math.max(2, this.ended + 1));
		}

	}

	/** Store, database and holders. */
	private static final class State {

		private final Holder[] holders;

		private int owner = -1;

		private int tokens;

		private int losses;

		private int token;

		/** What the row has after a rollback of the transaction that has locked it. */
		private int stored;

		private int lockedBy = -1;

		private boolean unlocked;

		private int value;

		private int commits;

		State(int holders) {
			this.holders = new Holder[holders];
			Arrays.fill(this.holders, new Holder(Step.ACQUIRE, 0, 0, 0));
		}

		State copy() {
			State copy = new State(this.holders.length);
			System.arraycopy(this.holders, 0, copy.holders, 0, this.holders.length);
			copy.owner = this.owner;
			copy.tokens = this.tokens;
			copy.losses = this.losses;
			copy.token = this.token;
			copy.stored = this.stored;
			copy.lockedBy = this.lockedBy;
			copy.unlocked = this.unlocked;
			copy.value = this.value;
			copy.commits = this.commits;
			return copy;
		}

		void commit(int holder) {
			if (this.lockedBy == holder) {
				this.stored = this.token;
				this.lockedBy = -1;
			}
		}

		void rollBack(int holder) {
			if (this.lockedBy == holder) {
				this.token = this.stored;
				this.lockedBy = -1;
			}
		}

		State unlocked(int left) {
			State next = copy();
			next.token = left;
			next.stored = left;
			next.lockedBy = -1;
			next.unlocked = true;
			return next;
		}

		boolean isOver() {
			return Arrays.stream(this.holders).allMatch((holder) -> holder.step == Step.END);
		}

		/** At most one holder dies while others go on. */
		boolean isAlive() {
			return Arrays.stream(this.holders).noneMatch((holder) -> holder.step == Step.END);
		}

		/** All of it, in the bits of one number. */
		long key() {
			long key = this.owner + 1;
			key = key << 2 | (this.lockedBy + 1);
			key = key << 3 | this.losses;
			key = key << 1 | (this.unlocked ? 1 : 0);
			key = key << 1 | ((this.value == this.commits) ? 1 : 0);
			for (int part : new int[] { this.tokens, this.token, this.stored, this.value }) {
				key = key << 4 | part;
			}
			for (Holder holder : this.holders) {
				key = key << 3 | holder.step.ordinal();
				key = key << 4 | holder.token;
				key = key << 4 | holder.value;
				key = key << 2 | holder.ended;
			}
			return key;
		}

		@Override
		public String toString() {
			return List.of(this.holders) + " " + this.owner + " " + this.lockedBy;
		}

	}

}
