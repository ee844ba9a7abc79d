package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The commands of a queue that nobody waits in. */
class LockQueueTests extends SteppedEngine {

	private final LockQueue queue = new LockQueue(this.engine,
			new LockMachine(new LockMachine.Context(this.store::traits, this.engine.fencingTokens(), () -> "1",
					this.clock::random, (nanos) -> false, () -> true, () -> true)));

	private final List<String> done = new ArrayList<>();

	private void decide(String name) {
		decide(() -> this.done.add(name));
	}

	private void decide(Runnable command) {
		this.queue.change((machine, now) -> machine.decide(command(command)));
	}

	private static LockMachine.Command command(Runnable task) {
		return new LockMachine.Command.Done(new CompletableFuture<>() {

			@Override
			public boolean complete(Void value) {
				task.run();
				return true;
			}

		});
	}

	@Test
	void aCommandIsCarriedOutBeforeTheCallReturns() {
		decide("a");
		assertThat(this.done).containsExactly("a");
	}

	@Test
	void theCommandThatACommandDecidesFollowsIt() {
		decide(() -> {
			decide("second");
			this.done.add("first");
		});
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void aThreadDoesNotWaitForTheCommandsOfAnother() {
		decide(() -> {
			CompletableFuture.runAsync(() -> decide("second"), this::start).join();
			this.done.add("first");
		});
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void aCommandThatFailsKeepsNoOther() {
		assertThatIllegalStateException().isThrownBy(() -> decide(() -> {
			decide("second");
			decide("third");
			throw new IllegalStateException();
		}));
		decide("fourth");
		assertThat(this.done).containsExactly("second", "third", "fourth");
	}

	@Test
	void commandsOfManyThreadsAreCarriedOutInTheOrderInWhichTheyWereDecided() {
		List<Integer> decided = new ArrayList<>();
		List<Integer> done = new ArrayList<>();
		IntStream.range(0, 8).mapToObj((thread) -> CompletableFuture.runAsync(() -> {
			for (int i = 0; i < 2_000; i++) {
				int number = thread * 2_000 + i;
				this.queue.change((machine, now) -> {
					decided.add(number);
					machine.decide(command(() -> done.add(number)));
				});
			}
		}, this::start)).toList().forEach(CompletableFuture::join);
		this.queue.change((machine, now) -> {
		});
		assertThat(done).isEqualTo(decided);
	}

	@Test
	void aCallerOfALockThatIsBeingForgottenGetsItByANewQueue() {
		Waiter first = waiter();
		LockQueue forgotten = this.engine.submit(first);
		hold(first).close();
		assertThat(forgotten.forget()).isTrue();
		assertThat(acquired(waiter()).isHeld()).isTrue();
	}

	private void start(Runnable task) {
		new Thread(task).start();
	}

}
